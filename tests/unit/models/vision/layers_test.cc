// Maps, pooling and single layers against their definitions, in loops over every index.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "models/vision/feature_map.h"
#include "models/vision/float_convolution.h"
#include "models/vision/pooling.h"
#include "models/vision/static_convolution.h"
#include "tests/kernels/variants.h"

namespace quintet::vision {
namespace {

class Values {
 public:
  template <class T>
  std::vector<T> between(T lower, T upper, size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(lower + (upper - lower) * share_(engine_));
    return values;
  }
  template <class T>
  FeatureMap<T> map(T lower, T upper, size_t height, size_t width, size_t channels, size_t border) {
    FeatureMap<T> map = *FeatureMap<T>::make(height, width, channels, border);
    for (size_t p = 0; p < map.positions(); ++p) std::ranges::copy(between(lower, upper, channels), map.pixel(p));
    return map;
  }

 private:
  std::mt19937 engine_{5};
  std::uniform_real_distribution<double> share_{0, 1};
};

TEST(FeatureMap, HasABorderOfZeros) {
  constexpr size_t kHeight = 3, kWidth = 2, kChannels = 5;
  for (const size_t border : {0, 1, 3}) {
    FeatureMap<int16_t> map = *FeatureMap<int16_t>::make(kHeight, kWidth, kChannels, border);
    EXPECT_GE(map.values.size(), (kHeight + 2 * border + 1) * map.row_stride());
    for (size_t p = 0; p < map.positions(); ++p) std::fill_n(map.pixel(p), kChannels, int16_t{1});
    const auto first = -static_cast<ptrdiff_t>(border);
    for (ptrdiff_t y = first; y <= ptrdiff_t(kHeight + border); ++y) {
      for (ptrdiff_t x = first; x <= ptrdiff_t(kWidth + border); ++x) {
        const bool inside = y >= 0 && x >= 0 && y < ptrdiff_t(kHeight) && x < ptrdiff_t(kWidth);
        for (size_t c = 0; c < kChannels; ++c) ASSERT_EQ(map.at(y, x)[c], inside ? 1 : 0) << y << ", " << x;
      }
    }
    EXPECT_EQ(std::ranges::count(map.values.span(), 1), ptrdiff_t(kHeight * kWidth * kChannels));
    EXPECT_EQ(std::ranges::count(map.values.span(), 0), ptrdiff_t(map.values.size() - kHeight * kWidth * kChannels));
  }
}

TEST(FeatureMap, LargerThanMemoryIsAnError) {
  constexpr size_t kMax = std::numeric_limits<size_t>::max();
  const std::vector<std::array<size_t, 3>> shapes = {
      {kMax / 2, 1, 1}, {1, kMax / 2, 2}, {kMax / 4, kMax / 4, 1}, {size_t{1} << 31, size_t{1} << 30, 64}};
  for (const auto& [height, width, channels] : shapes) {
    const auto map = FeatureMap<float>::make(height, width, channels, 1);
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().code, Code::memory);
  }
}

class PoolingOf : public quintet::testing::EachVariant {};

TEST_P(PoolingOf, MapsTakesTheMaximumOfThreeByThree) {
  for (const auto& [height, width] : {std::pair<size_t, size_t>{1, 1}, {2, 2}, {5, 8}, {7, 3}}) {
    const auto x = Values().map<float>(0, 1, height, width, 5, 1);
    const auto pooled = max_pool(kernels().max_pool_f32, x, 1);
    ASSERT_TRUE(pooled);
    ASSERT_EQ(pooled->height, (height + 1) / 2);
    ASSERT_EQ(pooled->width, (width + 1) / 2);
    for (size_t p = 0; p < pooled->positions(); ++p) {
      const auto y = static_cast<ptrdiff_t>(p / pooled->width * 2),
                 column = static_cast<ptrdiff_t>(p % pooled->width * 2);
      for (size_t c = 0; c < 5; ++c) {
        float max = 0;
        for (ptrdiff_t i = 0; i < 9; ++i) max = std::max(max, x.at(y + i / 3 - 1, column + i % 3 - 1)[c]);
        EXPECT_EQ(pooled->pixel(p)[c], max);
      }
    }
  }
}

QUINTET_FOR_EACH_VARIANT(PoolingOf);

TEST(Subsampled, KeepsEverySecondAndAddsZeroChannelsOnBothSides) {
  const auto x = Values().map<int16_t>(-200, 200, 5, 4, 2, 1);
  const auto result = subsampled(x, 6, 2);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->height, 3);
  ASSERT_EQ(result->width, 2);
  ASSERT_EQ(result->border, 2);
  for (ptrdiff_t y = 0; y < 3; ++y) {
    for (ptrdiff_t i = 0; i < 2; ++i) {
      const int16_t* old = x.at(2 * y, 2 * i);
      const std::vector<int16_t> expected = {0, 0, old[0], old[1], 0, 0};
      EXPECT_EQ(std::vector<int16_t>(result->at(y, i), result->at(y, i) + 6), expected);
    }
  }
}

TEST(GlobalPooling, IsOneValueAChannel) {
  auto x = *FeatureMap<int16_t>::make(2, 2, 2, 1);
  const std::vector<int16_t> values = {1, -4, 2, -3, 3, -2, 6, -1};
  for (size_t i = 0; i < values.size(); ++i) x.pixel(i / 2)[i % 2] = values[i];
  const auto halves = [](int16_t value) { return static_cast<float>(value) / 2; };
  EXPECT_EQ(global_average(x, halves), (std::vector<float>{1.5F, -1.25F}));
  EXPECT_EQ(global_max(x, halves), (std::vector<float>{3, -0.5F}));
}

struct LayerShape {
  ConvLayer layer;
  size_t height, width;
};

// Kernel, stride, padding, channels in and out, bias. The last ones take several blocks: of tiles and of panels of
// Winograd's algorithm, of windows, and of widened panels.
const std::vector<LayerShape> kShapes = {
    {{3, 1, 1, 1, 1, true, {}}, 1, 1},       {{3, 1, 1, 5, 9, true, {}}, 6, 7},
    {{3, 2, 1, 4, 8, false, {}}, 7, 6},      {{7, 2, 3, 3, 5, true, {}}, 2, 11},
    {{7, 2, 3, 3, 5, true, {}}, 1, 1},       {{1, 1, 0, 6, 3, true, {}}, 5, 4},
    {{1, 2, 0, 6, 17, false, {}}, 5, 4},     {{3, 1, 1, 8, 3, true, {}}, 1, 9},
    {{3, 1, 1, 16, 9, false, {}}, 5, 5},     {{3, 1, 1, 48, 16, true, {}}, 41, 43},
    {{3, 1, 1, 136, 260, true, {}}, 9, 8},   {{3, 1, 1, 136, 260, true, {}}, 62, 63},
    {{3, 2, 1, 130, 140, true, {}}, 40, 33}, {{1, 1, 0, 900, 20, true, {}}, 11, 9},
};

std::string shape_name(const ::testing::TestParamInfo<std::tuple<LayerShape, const Kernels*>>& info) {
  const auto& [shape, kernels] = info.param;
  const ConvLayer& layer = shape.layer;
  std::string name =
      std::string(kernels->name) + "_k" + std::to_string(layer.kernel) + "s" + std::to_string(layer.stride);
  for (const size_t size : {size_t{layer.in_channels}, size_t{layer.out_channels}, shape.height, shape.width})
    name += "_" + std::to_string(size);
  return name;
}

class LayerOfShape : public ::testing::TestWithParam<std::tuple<LayerShape, const Kernels*>> {
 protected:
  const ConvLayer& layer() const { return std::get<0>(GetParam()).layer; }
  size_t height() const { return std::get<0>(GetParam()).height; }
  size_t width() const { return std::get<0>(GetParam()).width; }
  const Kernels& kernels() const { return *std::get<1>(GetParam()); }
  size_t window() const { return size_t{layer().kernel} * layer().kernel * layer().in_channels; }

  // The sum of a window's products; the weights are [out][in][kernel][kernel].
  template <class Sum, class T, class W>
  Sum sum(const FeatureMap<T>& x, const std::vector<W>& weights, W zero_point, size_t y, size_t column,
          size_t out) const {
    const size_t k = layer().kernel;
    Sum total = 0;
    for (size_t i = 0; i < window(); ++i) {
      const auto row = static_cast<ptrdiff_t>(y * layer().stride + i / k % k) - static_cast<ptrdiff_t>(layer().padding);
      const auto at = static_cast<ptrdiff_t>(column * layer().stride + i % k) - static_cast<ptrdiff_t>(layer().padding);
      total += Sum(x.at(row, at)[i / k / k]) * (Sum(weights[out * window() + i]) - Sum(zero_point));
    }
    return total;
  }
};

// The map for the outputs of a layer that reads `x`.
template <class T>
Result<FeatureMap<T>> make_output(const ConvLayer& layer, const FeatureMap<T>& x, size_t border) {
  return FeatureMap<T>::make(output_length(x.height, layer), output_length(x.width, layer), layer.out_channels, border);
}

template <class T>
void feed(Result<std::unique_ptr<ByteSink>> sink, const std::vector<T>& values) {
  ASSERT_TRUE(sink);
  ASSERT_TRUE((*sink)->write(std::as_bytes(std::span(values))));
  ASSERT_TRUE((*sink)->finish());
}

// Pixels and channels: all of a small map, some of a large one.
struct Output {
  size_t pixel, channel;
};
std::vector<Output> outputs_of(size_t pixels, size_t channels) {
  std::vector<Output> outputs;
  const size_t step = pixels * channels / 2000 | 1;
  for (size_t i = 0; i < pixels * channels; i += step) outputs.push_back({i / channels, i % channels});
  outputs.push_back({pixels - 1, channels - 1});
  return outputs;
}

TEST_P(LayerOfShape, InFloatsFollowsTheDefinition) {
  Values random;
  const size_t out = layer().out_channels;
  const auto weights = random.between<float>(-1, 1, out * window());
  const auto bias = random.between<float>(-1, 1, layer().bias ? out : 0);
  FloatConvolution convolution(layer());
  feed(convolution.weight_sink({{}, true}), weights);
  TensorInfo bias_info;
  bias_info.shape = {bias.size()};
  if (layer().bias) feed(convolution.bias_sink({bias_info, true}), bias);
  EXPECT_GE(convolution.bytes(), weights.size() * sizeof(float));

  const auto x = random.map<float>(-1, 1, height(), width(), layer().in_channels, 3);
  auto y = *make_output(layer(), x, 1);
  const auto residual = random.map<float>(-1, 1, y.height, y.width, out, 1);
  std::ranges::copy(residual.values.span(), y.values.data());
  FloatConvolution::Scratch scratch;
  const auto padding = static_cast<ptrdiff_t>(layer().padding);
  ASSERT_TRUE(convolution.apply(kernels(), x, {padding, padding}, y, {.residual = y.at(0, 0), .min = 0}, scratch));
  for (const auto& [p, o] : outputs_of(y.positions(), out)) {
    const double expected = sum<double>(x, weights, 0.0F, p / y.width, p % y.width, o) + (bias.empty() ? 0 : bias[o]) +
                            residual.pixel(p)[o];
    ASSERT_NEAR(y.pixel(p)[o], std::max(expected, 0.0), 2e-6 * double(window() + 1)) << p << ", " << o;
  }
}

TEST_P(LayerOfShape, InStaticIntegersIsTheDefinition) {
  Values random;
  const size_t out = layer().out_channels;
  ConvLayer quantized = layer();
  quantized.output = {.scale = 0.3F, .zero_point = 40};
  const ActivationQuantization input = {.scale = 0.02F, .zero_point = 100};
  TensorInfo info;
  info.quantization = {.scheme = Scheme::tensor_int8, .scale = 5 / static_cast<float>(window()), .zero_point = -9};
  const auto weights = random.between<int8_t>(-128, 127, out * window());
  const auto bias = random.between<int32_t>(-9000, 9000, layer().bias ? out : 0);
  StaticConvolution convolution(quantized, input);
  feed(convolution.weight_sink({info, true}), weights);
  if (layer().bias) feed(convolution.bias_sink({{}, true}), bias);
  EXPECT_GE(convolution.bytes(), weights.size());

  const auto x = random.map<int16_t>(-100, 155, height(), width(), layer().in_channels, 3);
  auto y = *make_output(layer(), x, 2);
  StaticConvolution::Scratch scratch;
  ASSERT_TRUE(convolution.apply(kernels(), x, y, convolution.epilogue(false), scratch));
  const float multiplier = info.quantization.scale * input.scale / quantized.output.scale;
  for (const auto& [p, o] : outputs_of(y.positions(), out)) {
    const int64_t exact =
        sum<int64_t>(x, weights, int8_t{-9}, p / y.width, p % y.width, o) + (bias.empty() ? 0 : bias[o]);
    const double q = std::round(double{multiplier * static_cast<float>(exact)}) + 40;
    ASSERT_EQ(y.pixel(p)[o], std::clamp(q, 0.0, 255.0) - 40) << p << ", " << o;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, LayerOfShape,
                         ::testing::Combine(::testing::ValuesIn(kShapes),
                                            ::testing::ValuesIn(quintet::testing::all_kernels())),
                         shape_name);

// The limits within which Winograd's algorithm is exact: sums and weights on either side of them.
TEST(StaticConvolution, IsExactAtTheLimitsOfWinogradsAlgorithm) {
  const std::vector<std::pair<uint32_t, int32_t>> cases = {{1840, 0}, {1848, 0}, {3000, 0},
                                                           {16, 127}, {16, 128}, {16, 20000}};
  for (const auto& [channels, zero_point] : cases) {
    const int8_t weight = zero_point == 0 ? 127 : -128;
    const int16_t value = zero_point == 0 ? 255 : -255;
    const int64_t product = int64_t{value} * (weight - zero_point);
    const float scale = 200 / static_cast<float>(9 * channels * product);
    const ConvLayer layer = {3, 1, 1, channels, 8, false, {.scale = 1, .zero_point = 0}};
    StaticConvolution convolution(layer, {.scale = 1, .zero_point = 0});
    TensorInfo info;
    info.quantization = {.scheme = Scheme::tensor_int8, .scale = scale, .zero_point = zero_point};
    feed(convolution.weight_sink({info, true}), std::vector<int8_t>(size_t{8} * 9 * channels, weight));
    auto x = *FeatureMap<int16_t>::make(4, 4, channels, 1);
    for (size_t p = 0; p < x.positions(); ++p) std::fill_n(x.pixel(p), channels, value);
    const auto expected = [&](int64_t taps) {
      return static_cast<int16_t>(std::round(scale * static_cast<float>(taps * channels * product)));
    };
    for (const Kernels* kernels : quintet::testing::all_kernels()) {
      auto y = *make_output(layer, x, 0);
      StaticConvolution::Scratch scratch;
      ASSERT_TRUE(convolution.apply(*kernels, x, y, convolution.epilogue(false), scratch));
      EXPECT_EQ(y.at(0, 0)[0], expected(4)) << channels << " " << kernels->name;
      EXPECT_EQ(y.at(0, 1)[7], expected(6)) << channels << " " << kernels->name;
      EXPECT_EQ(y.at(2, 2)[3], expected(9)) << channels << " " << kernels->name;
    }
  }
}

}  // namespace
}  // namespace quintet::vision
