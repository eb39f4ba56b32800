#include "models/vision/float_network.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "architectures/resnet/check.h"
#include "models/vision/pooling.h"
#include "models/vision/resnet_pass.h"

namespace quintet::vision {
namespace {

// Either may be null.
struct FloatObservers {
  StageObserver* stages = nullptr;
  ActivationObserver* activations = nullptr;
};

// The layers for ResNetPass. Layer: FloatConvolution or DynamicConvolution, which decide whether weights are quantized.
template <class Layer>
class FloatLayers {
 public:
  using Map = FeatureMap<float>;

  FloatLayers(const Kernels& kernels, const ResNetGraph& graph, const NetworkLayers<Layer>& layers,
              FloatObservers observers)
      : kernels_(kernels), graph_(graph), layers_(layers), observers_(observers) {}

  const ConvLayer& conv(uint32_t index) const { return layers_.convs[index].layer(); }
  MaxPoolF32* pooling() const { return kernels_.max_pool_f32; }

  Result<Map> input(std::span<const float> image, size_t height, size_t width) const {
    const auto copy = [](const float* from, size_t count, float* to) { std::copy_n(from, count, to); };
    if (observers_.activations) observers_.activations->observe({ActivationSite::Kind::entry, 0}, image);
    return image_map<float>(image, conv(0).in_channels, height, width, conv(0).padding, copy);
  }

  Result<Map> convolve(uint32_t index, const Map& x, size_t border) {
    return convolve(ActivationSite::Kind::conv, index, x, border, true);
  }
  Result<Map> project(const ResNetBlock& block, const Map& x, size_t border) {
    return convolve(ActivationSite::Kind::conv, block.downsample_conv(), x, border, false);
  }

  Status add(const ResNetBlock& block, const Map& x, Map& sum) {
    if (observers_.activations) return add_observed(block, x, sum);
    return layers_.convs[block.last_conv()].apply(kernels_, x, sum, {.residual = sum.at(0, 0), .min = 0}, scratch_);
  }

  Result<std::vector<float>> tail(const Map& x) {
    // The averages share their entry of the activation table with the sum of the last block, whose range includes them.
    if (graph_.tail == ResNetTail::plain) return linear(0, global_average(x), false);

    std::vector<float> features = global_max(x);
    const std::vector<float> averages = global_average(x);
    features.insert(features.end(), averages.begin(), averages.end());
    observe_entry(graph_.concatenation_activation(), features);
    normalize(0, features);
    QUINTET_TRY(std::vector<float> hidden, linear(0, features, true));
    normalize(1, hidden);
    return linear(1, hidden, false);
  }

  void see(std::string_view stage, const ResNetBlock*, const Map& x) {
    if (observers_.stages) observers_.stages->see_floats(stage, planes_of<float>(x, std::identity()));
  }

 private:
  Result<Map> convolve(ActivationSite::Kind kind, uint32_t index, const Map& x, size_t border, bool relu) {
    const Layer& layer = kind == ActivationSite::Kind::conv ? layers_.convs[index] : layers_.linears[index];
    QUINTET_TRY(Map y, make_output(layer.layer(), x, border));
    FloatEpilogue epilogue;
    if (relu) epilogue.min = 0;
    QUINTET_CHECK(layer.apply(kernels_, x, y, epilogue, scratch_));
    observe(kind, index, y);
    return y;
  }

  // The convolution is observed without the shortcut.
  Status add_observed(const ResNetBlock& block, const Map& x, Map& sum) {
    QUINTET_TRY(const Map y, convolve(ActivationSite::Kind::conv, block.last_conv(), x, sum.border, false));
    for (size_t p = 0; p < sum.positions(); ++p) {
      const float* const own = y.pixel(p);
      float* const pixel = sum.pixel(p);
      for (size_t c = 0; c < sum.channels; ++c) pixel[c] = std::max(own[c] + pixel[c], 0.0F);
    }
    observe(ActivationSite::Kind::entry, block.sum_activation, sum);
    return {};
  }

  Result<std::vector<float>> linear(uint32_t index, const std::vector<float>& x, bool relu) {
    QUINTET_TRY(Map input, Map::make(1, 1, x.size(), 0));
    std::ranges::copy(x, input.at(0, 0));
    QUINTET_TRY(const Map y, convolve(ActivationSite::Kind::linear, index, input, 0, relu));
    return std::vector<float>(y.at(0, 0), y.at(0, 0) + y.channels);
  }

  void normalize(uint32_t index, std::vector<float>& x) {
    layers_.norms[index].apply(x);
    observe_entry(graph_.linear_activation(index), x);
  }

  void observe_entry(uint32_t index, std::span<const float> values) {
    if (observers_.activations) observers_.activations->observe({ActivationSite::Kind::entry, index}, values);
  }
  void observe(ActivationSite::Kind kind, uint32_t index, const Map& map) {
    if (observers_.activations) observers_.activations->observe({kind, index}, planes_of<float>(map, std::identity()));
  }

  const Kernels& kernels_;
  const ResNetGraph& graph_;
  const NetworkLayers<Layer>& layers_;
  FloatObservers observers_;
  typename Layer::Scratch scratch_;
};

template <class Layer>
Result<std::unique_ptr<Pass>> make_pass(FloatLayers<Layer> layers, const ResNetGraph& graph,
                                        std::span<const float> image, size_t height, size_t width) {
  QUINTET_TRY(FeatureMap<float> input, layers.input(image, height, width));
  return std::make_unique<ResNetPass<FloatLayers<Layer>>>(graph, std::move(layers), std::move(input));
}

Status check_size(std::string_view what, uint64_t expected, std::span<const float> values) {
  if (values.size() == expected) return {};
  return input_error(Reason::mismatch, "{} of {} values was given {}", what, expected, values.size());
}

Status write(std::span<const float> values, Result<std::unique_ptr<ByteSink>> opened) {
  QUINTET_TRY(const std::unique_ptr<ByteSink> sink, std::move(opened));
  QUINTET_CHECK(sink->write(std::as_bytes(values)));
  return sink->finish();
}

Status fill(FloatConvolution& convolution, const FloatWeights::Layer& weights) {
  const ConvLayer& layer = convolution.layer();
  const uint64_t row = uint64_t{layer.kernel} * layer.kernel * layer.in_channels;
  QUINTET_CHECK(check_size("a weight", row * layer.out_channels, weights.weight));
  QUINTET_CHECK(check_size("a bias", layer.bias ? layer.out_channels : 0, weights.bias));
  TensorInfo weight, bias;
  bias.shape = {weights.bias.size()};
  QUINTET_CHECK(write(weights.weight, convolution.weight_sink({.info = weight, .bytes_exist = true})));
  return write(weights.bias, convolution.bias_sink({.info = bias, .bytes_exist = true}));
}

Status fill(TailNorm& norm, const FloatWeights::BatchNorm& weights, uint32_t channels) {
  const std::array<std::span<const float>, kBatchNormSuffixes.size()> arrays = {weights.gamma, weights.beta,
                                                                                weights.mean, weights.variance};
  for (size_t i = 0; i < arrays.size(); ++i) {
    QUINTET_CHECK(check_size("a batch norm", channels, arrays[i]));
    QUINTET_CHECK(norm.arrays[i].resize(channels));
    std::ranges::copy(arrays[i], norm.arrays[i].data());
  }
  return {};
}

}  // namespace

FloatNetwork::FloatNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table)
    : LayeredNetwork(kernels, std::move(graph), table,
                     [](const ConvLayer& layer, size_t) { return FloatConvolution(layer); }) {}

Result<FloatNetwork> FloatNetwork::make(const Kernels& kernels, const LayerTable& table, const FloatWeights& weights) {
  QUINTET_TRY(ResNetGraph graph, checked_resnet(table));
  if (weights.convs.size() != table.convs.size() || weights.linears.size() != table.linears.size() ||
      weights.batch_norms.size() != table.batch_norms.size()) {
    return input_error(Reason::mismatch, "the numbers of weights and layers differ");
  }
  FloatNetwork network(kernels, std::move(graph), table);
  NetworkLayers<FloatConvolution>& layers = network.layers_;
  for (size_t i = 0; i < weights.convs.size(); ++i) QUINTET_CHECK(fill(layers.convs[i], weights.convs[i]));
  for (size_t i = 0; i < weights.linears.size(); ++i) QUINTET_CHECK(fill(layers.linears[i], weights.linears[i]));
  for (size_t i = 0; i < weights.batch_norms.size(); ++i) {
    QUINTET_CHECK(fill(layers.norms[i], weights.batch_norms[i], table.batch_norms[i]));
  }
  return network;
}

Result<std::unique_ptr<Pass>> FloatNetwork::begin(std::span<const float> image, size_t height, size_t width,
                                                  StageObserver* observer) const {
  return make_pass(FloatLayers(*kernels_, graph(), layers_, {.stages = observer}), graph(), image, height, width);
}

Result<std::vector<float>> FloatNetwork::observe(std::span<const float> image, size_t height, size_t width,
                                                 ActivationObserver& observer) const {
  QUINTET_CHECK(check_image(image, height, width));
  const FloatObservers observers = {.activations = &observer};
  QUINTET_TRY(const std::unique_ptr<Pass> pass,
              make_pass(FloatLayers(*kernels_, graph(), layers_, observers), graph(), image, height, width));
  return finish(*pass);
}

DynamicNetwork::DynamicNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table)
    : LayeredNetwork(kernels, std::move(graph), table,
                     [](const ConvLayer& layer, size_t) { return DynamicConvolution(layer); }) {}

Result<std::unique_ptr<Pass>> DynamicNetwork::begin(std::span<const float> image, size_t height, size_t width,
                                                    StageObserver* observer) const {
  return make_pass(FloatLayers(*kernels_, graph(), layers_, {.stages = observer}), graph(), image, height, width);
}

}  // namespace quintet::vision
