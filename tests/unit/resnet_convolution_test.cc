// Convolution and pooling against their definitions, in loops over every index.

#include <gtest/gtest.h>

#include <random>

#include "kernels/registry.h"
#include "models/resnet/convolution.h"
#include "models/resnet/pooling.h"

namespace quintet::resnet {
namespace {

std::vector<float> random_values(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> result(count);
  for (float& value : result) value = values(random);
  return result;
}

FeatureMap random_map(size_t height, size_t width, size_t channels) {
  FeatureMap map = *FeatureMap::make(height, width, channels);
  std::ranges::copy(random_values(map.values.size(), 3), map.values.data());
  return map;
}

// 0 in the padding.
double padded(const FeatureMap& x, ptrdiff_t y, ptrdiff_t column, size_t c) {
  const bool inside = y >= 0 && column >= 0 && y < ptrdiff_t(x.height) && column < ptrdiff_t(x.width);
  return inside ? x.at(size_t(y), size_t(column))[c] : 0;
}

struct Shape {
  ConvLayer layer;
  size_t height, width;
};

class ConvolutionOfShape : public ::testing::TestWithParam<Shape> {};

TEST_P(ConvolutionOfShape, FollowsTheDefinition) {
  const auto& [layer, height, width] = GetParam();
  const size_t k = layer.kernel, in = layer.in_channels, out = layer.out_channels;
  const auto weight = random_values(out * in * k * k, 1);
  const auto bias = random_values(layer.bias ? out : 0, 2);
  const FeatureMap x = random_map(height, width, in);
  const auto convolution = Convolution::make(layer, weight, bias);
  ASSERT_TRUE(convolution);
  AlignedBuffer<float> patches;
  const auto y = convolution->apply(active_kernels(), x, patches);
  ASSERT_TRUE(y);
  ASSERT_EQ(y->height, (height + 2 * layer.padding - k) / layer.stride + 1);
  ASSERT_EQ(y->width, (width + 2 * layer.padding - k) / layer.stride + 1);
  EXPECT_LE(patches.size() * sizeof(float), size_t{1} << 20);

  for (size_t oy = 0; oy < y->height; ++oy) {
    for (size_t ox = 0; ox < y->width; ++ox) {
      for (size_t o = 0; o < out; ++o) {
        double sum = bias.empty() ? 0 : bias[o];
        for (size_t c = 0; c < in; ++c) {
          for (size_t ky = 0; ky < k; ++ky) {
            for (size_t kx = 0; kx < k; ++kx) {
              const ptrdiff_t iy = ptrdiff_t(oy * layer.stride + ky) - layer.padding;
              const ptrdiff_t ix = ptrdiff_t(ox * layer.stride + kx) - layer.padding;
              sum += padded(x, iy, ix, c) * weight[((o * in + c) * k + ky) * k + kx];
            }
          }
        }
        ASSERT_NEAR(y->at(oy, ox)[o], sum, 1e-6 * double(in * k * k + 1)) << oy << ", " << ox << ", " << o;
      }
    }
  }
}

// Kernel, stride, padding, channels in and out, bias; the last takes more than one block of patches.
INSTANTIATE_TEST_SUITE_P(
    Shapes, ConvolutionOfShape,
    ::testing::Values(Shape{{3, 1, 1, 1, 1, true, {}}, 1, 1}, Shape{{3, 1, 1, 5, 9, true, {}}, 6, 7},
                      Shape{{3, 2, 1, 4, 8, false, {}}, 7, 6}, Shape{{7, 2, 3, 3, 5, true, {}}, 2, 11},
                      Shape{{7, 2, 3, 3, 5, true, {}}, 1, 1}, Shape{{1, 1, 0, 6, 3, true, {}}, 5, 4},
                      Shape{{1, 2, 0, 6, 17, false, {}}, 5, 4}, Shape{{2, 1, 0, 3, 3, true, {}}, 2, 2},
                      Shape{{3, 1, 4, 2, 2, true, {}}, 1, 2}, Shape{{3, 1, 1, 64, 3, true, {}}, 23, 25}));

TEST(Convolution, RefusesInputsThatAreTooSmall) {
  const auto convolution = Convolution::make({3, 1, 0, 1, 1, false, {}}, random_values(9, 1), {});
  ASSERT_TRUE(convolution);
  AlignedBuffer<float> patches;
  const auto y = convolution->apply(active_kernels(), random_map(2, 8, 1), patches);
  ASSERT_FALSE(y);
  EXPECT_EQ(y.error().code, Code::input);
}

TEST(MaxPool, TakesTheLargestOfThreeByThree) {
  for (const auto& [height, width] : {std::pair<size_t, size_t>{1, 1}, {2, 2}, {5, 8}, {7, 3}}) {
    FeatureMap x = random_map(height, width, 2);
    for (float& value : x.values.span()) value -= 2;  // below the zeros that padding must not add
    const auto pooled = max_pool(x);
    ASSERT_TRUE(pooled);
    ASSERT_EQ(pooled->height, (height - 1) / 2 + 1);
    ASSERT_EQ(pooled->width, (width - 1) / 2 + 1);
    for (size_t y = 0; y < pooled->height; ++y) {
      for (size_t i = 0; i < pooled->width; ++i) {
        for (size_t c = 0; c < 2; ++c) {
          float most = -9;
          for (size_t iy = 2 * y; iy < 2 * y + 3; ++iy) {
            for (size_t ix = 2 * i; ix < 2 * i + 3; ++ix) {
              if (iy >= 1 && ix >= 1 && iy <= height && ix <= width) most = std::max(most, x.at(iy - 1, ix - 1)[c]);
            }
          }
          EXPECT_EQ(pooled->at(y, i)[c], most);
        }
      }
    }
  }
}

TEST(Subsampled, KeepsEverySecondAndAddsZeroChannelsOnBothSides) {
  const FeatureMap x = random_map(5, 4, 2);
  const auto result = subsampled(x, 6);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->height, 3);
  ASSERT_EQ(result->width, 2);
  for (size_t y = 0; y < 3; ++y) {
    for (size_t i = 0; i < 2; ++i) {
      const float* old = x.at(2 * y, 2 * i);
      const std::vector<float> expected = {0, 0, old[0], old[1], 0, 0};
      EXPECT_EQ(std::vector<float>(result->at(y, i), result->at(y, i) + 6), expected);
    }
  }
}

TEST(GlobalPooling, IsOneValueAChannel) {
  FeatureMap x = *FeatureMap::make(2, 2, 2);
  std::ranges::copy(std::vector<float>{1, -4, 2, -3, 3, -2, 6, -1}, x.values.data());
  EXPECT_EQ(global_average(x), (std::vector<float>{3, -2.5F}));
  EXPECT_EQ(global_max(x), (std::vector<float>{6, -1}));
}

}  // namespace
}  // namespace quintet::resnet
