// Folding into the weights of a layer, compared with the network's steps in double: convolution, batch norm, layer
// scale, factor. And a network that no longer matches its graph.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "architectures/vision/graph_builder.h"
#include "models/vision/graph_network.h"
#include "tests/kernels/variants.h"

namespace quintet::vision {
namespace {

struct Tensor {
  std::vector<uint64_t> shape;
  std::vector<float> values;
  Dtype dtype = Dtype::f32;
};
using Tensors = std::map<std::string, Tensor>;

constexpr float kEpsilon = 1e-3F;

// A convolution of one pixel with all that may follow it, and the mean of its map.
Tensors small_network() {
  return {{"conv.weight", {{2, 3, 1, 1}, {1, -2, 0.5F, 0.25F, 3, -1}}},
          {"conv.bias", {{2}, {0.5F, -0.25F}}},
          {"bn.weight", {{2}, {2, -1}}},
          {"bn.bias", {{2}, {0.125F, 1}}},
          {"bn.running_mean", {{2}, {0.75F, -0.5F}}},
          {"bn.running_var", {{2}, {4, 0.25F}}},
          {"scale", {{2}, {0.5F, 3}}}};
}

struct Features {
  bool norm = true, scale = true, bias = true;
  float factor = 1;
};

Tensors chosen(Tensors tensors, const Features& features) {
  std::erase_if(tensors, [&](const auto& entry) {
    const std::string& name = entry.first;
    return (!features.norm && name.starts_with("bn.")) || (!features.scale && name == "scale") ||
           (!features.bias && name == "conv.bias");
  });
  return tensors;
}

Result<std::unique_ptr<ImageNetwork>> load(const Tensors& tensors, const Features& features) {
  std::vector<TensorInfo> infos;
  for (const auto& [name, tensor] : tensors) {
    TensorInfo& info = infos.emplace_back();
    info.name = name;
    info.shape = tensor.shape;
    info.dtype = tensor.dtype;
    info.bytes = tensor.values.size() * (tensor.dtype == Dtype::i8 ? 1 : sizeof(float));
  }
  GraphBuilder builder(infos, "", "Test", 32);
  builder.style.epsilon = kEpsilon;
  const NodeId x =
      builder.conv(builder.image(), {"conv", features.norm ? "bn" : ""},
                   {.padding = Padding(), .layer_scale = features.scale ? "scale" : "", .factor = features.factor});
  const NodeId mean = builder.mean(x);
  QUINTET_TRY(Graph graph, std::move(builder).finish(mean));
  GraphLoader loader(quintet::testing::scalar_kernels(), std::move(graph), infos);
  for (const TensorInfo& info : infos) {
    const std::vector<float>& values = tensors.at(info.name).values;
    QUINTET_TRY(const std::unique_ptr<ByteSink> sink, loader.tensor({.info = info, .bytes_exist = true}));
    EXPECT_TRUE(sink) << info.name;
    if (info.dtype == Dtype::i8) {
      const std::vector<int8_t> bytes(values.begin(), values.end());
      QUINTET_CHECK(sink->write(std::as_bytes(std::span(bytes))));
    } else {
      QUINTET_CHECK(sink->write(std::as_bytes(std::span(values))));
    }
    QUINTET_CHECK(sink->finish());
  }
  return loader.finish();
}

constexpr std::array<float, 3> kColors = {0.5F, -1, 2};

// The outputs for an image of one color.
std::vector<float> outputs_of(const ImageNetwork& network) {
  constexpr size_t kPixels = 6;
  std::vector<float> image;
  for (const float color : kColors) image.insert(image.end(), kPixels, color);
  auto pass = network.start(image, 2, 3, Output::logits);
  EXPECT_TRUE(pass);
  auto outputs = finish(**pass);
  EXPECT_TRUE(outputs);
  return *outputs;
}

// The steps one after another.
double expected(const Tensors& tensors, const Features& features, size_t channel) {
  const auto value = [&](const char* name, size_t i) { return double{tensors.at(name).values[i]}; };
  double y = features.bias ? value("conv.bias", channel) : 0;
  for (size_t c = 0; c < kColors.size(); ++c) y += value("conv.weight", channel * 3 + c) * double{kColors[c]};
  if (features.norm) {
    y = (y - value("bn.running_mean", channel)) / std::sqrt(value("bn.running_var", channel) + double{kEpsilon});
    y = y * value("bn.weight", channel) + value("bn.bias", channel);
  }
  if (features.scale) y *= value("scale", channel);
  return y * double{features.factor};
}

TEST(GraphLoader, FoldsWhatFollowsAConvolution) {
  for (const bool norm : {false, true}) {
    for (const bool scale : {false, true}) {
      for (const bool bias : {false, true}) {
        for (const float factor : {1.0F, 0.5F}) {
          const Features features = {norm, scale, bias, factor};
          const Tensors tensors = chosen(small_network(), features);
          const auto network = load(tensors, features);
          ASSERT_TRUE(network) << network.error().detail;
          const std::vector<float> outputs = outputs_of(**network);
          ASSERT_EQ(outputs.size(), 2u);
          for (size_t channel = 0; channel < 2; ++channel) {
            const double right = expected(tensors, features, channel);
            EXPECT_NEAR(double{outputs[channel]}, right, 2e-6 * (1 + std::fabs(right)))
                << norm << scale << bias << factor;
          }
        }
      }
    }
  }
}

TEST(GraphLoader, WeightsInInt8AreMultipliedWithTheirScales) {
  for (const bool has_zero_point : {false, true}) {
    Tensors stored = small_network();
    stored["conv.weight"] = {{2, 3, 1, 1}, {100, -128, 127, 0, 7, -1}, Dtype::i8};
    stored["conv.weight_scale"] = {{2}, {0.01F, 0.125F}};
    if (has_zero_point) stored["conv.weight_zero_point"] = {{2}, {3, -5}, Dtype::i8};
    Tensors meant = small_network();
    for (size_t i = 0; i < 6; ++i) {
      const float zero = has_zero_point ? stored["conv.weight_zero_point"].values[i / 3] : 0;
      meant["conv.weight"].values[i] =
          (stored["conv.weight"].values[i] - zero) * stored["conv.weight_scale"].values[i / 3];
    }
    const auto network = load(stored, {});
    ASSERT_TRUE(network) << network.error().detail;
    const std::vector<float> outputs = outputs_of(**network);
    for (size_t channel = 0; channel < 2; ++channel) {
      const double right = expected(meant, {}, channel);
      EXPECT_NEAR(double{outputs[channel]}, right, 3e-6 * (1 + std::fabs(right)));
    }
  }
}

TEST(GraphLoader, ValuesThatAreNotFiniteAreRejectedWithTheirTensor) {
  for (const auto& [name, tensor] : small_network()) {
    for (const float wrong : {NAN, INFINITY, -INFINITY}) {
      Tensors tensors = small_network();
      tensors[name].values.back() = wrong;
      const auto network = load(tensors, {});
      ASSERT_FALSE(network) << name;
      EXPECT_EQ(network.error().code, Code::format);
      EXPECT_EQ(network.error().reason, Reason::out_of_range);
      EXPECT_EQ(network.error().tensor, name);
    }
  }
}

TEST(GraphLoader, VariancesBelowZeroAreRejected) {
  for (const float variance : {-1.0F, -kEpsilon}) {
    Tensors tensors = small_network();
    tensors["bn.running_var"].values[0] = variance;
    const auto network = load(tensors, {});
    ASSERT_FALSE(network) << variance;
    EXPECT_EQ(network.error().code, Code::format);
    EXPECT_EQ(network.error().tensor, "conv.weight");
  }
}

TEST(GraphLoader, IgnoresUnusedTensors) {
  TensorInfo info;
  info.name = "other";
  GraphLoader loader(quintet::testing::scalar_kernels(), Graph{.family = "", .input_size = 1, .nodes = {Node()}}, {});
  const auto sink = loader.tensor({.info = info});
  ASSERT_TRUE(sink);
  EXPECT_EQ(*sink, nullptr);
}

}  // namespace
}  // namespace quintet::vision
