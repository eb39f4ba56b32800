#include "models/resnet/float_network.h"

#include <array>
#include <string>
#include <utility>

#include "formats/resnet_check.h"
#include "models/resnet/float_layers.h"
#include "models/resnet/graph_pass.h"

namespace quintet::resnet {
namespace {

Status check_size(std::string_view what, uint64_t expected, std::span<const float> values) {
  if (values.size() == expected) return {};
  return input_error(Reason::mismatch, std::string(what) + " of " + std::to_string(expected) + " values is given " +
                                           std::to_string(values.size()));
}

Status write(std::span<const float> values, Result<std::unique_ptr<TensorSink>> opened) {
  QUINTET_TRY(const std::unique_ptr<TensorSink> sink, std::move(opened));
  QUINTET_CHECK(sink->write(std::as_bytes(values)));
  return sink->finish();
}

Status fill(FloatConvolution& convolution, const FloatWeights::Layer& weights) {
  const ConvLayer& layer = convolution.layer();
  const uint64_t row = uint64_t{layer.kernel} * layer.kernel * layer.in_channels;
  QUINTET_CHECK(check_size("a weight", row * layer.out_channels, weights.weight));
  QUINTET_CHECK(check_size("a bias", layer.bias ? layer.out_channels : 0, weights.bias));
  QUINTET_CHECK(write(weights.weight, convolution.weight_sink({}, true)));
  return write(weights.bias, convolution.bias_sink({}, true));
}

Status fill(TailNorm& norm, const FloatWeights::BatchNorm& weights, uint32_t channels) {
  const std::array<std::span<const float>, kNormArrays> arrays = {weights.gamma, weights.beta, weights.mean,
                                                                  weights.variance};
  for (size_t i = 0; i < arrays.size(); ++i) {
    QUINTET_CHECK(check_size("a batch norm", channels, arrays[i]));
    QUINTET_CHECK(norm.arrays[i].resize(channels));
    std::ranges::copy(arrays[i], norm.arrays[i].data());
  }
  return {};
}

Result<std::unique_ptr<Pass>> make_pass(const ResNetGraph& graph, FloatLayers<FloatConvolution> layers,
                                        std::span<const float> image, size_t height, size_t width) {
  QUINTET_TRY(FeatureMap<float> input, layers.input(image, height, width));
  return std::make_unique<GraphPass<FloatLayers<FloatConvolution>>>(graph, std::move(layers), std::move(input));
}

}  // namespace

FloatNetwork::Parts FloatNetwork::parts(const LayerTable& table) {
  return parts_of<FloatConvolution>(table, [](const ConvLayer& layer, size_t) { return FloatConvolution(layer); });
}

Result<FloatNetwork> FloatNetwork::make(const Kernels& kernels, const LayerTable& table, const FloatWeights& weights) {
  QUINTET_TRY(ResNetGraph graph, checked_resnet(table));
  if (weights.convs.size() != table.convs.size() || weights.linears.size() != table.linears.size() ||
      weights.batch_norms.size() != table.batch_norms.size()) {
    return input_error(Reason::mismatch, "there are not as many weights as layers");
  }
  Parts filled = parts(table);
  for (size_t i = 0; i < weights.convs.size(); ++i) QUINTET_CHECK(fill(filled.convs[i], weights.convs[i]));
  for (size_t i = 0; i < weights.linears.size(); ++i) QUINTET_CHECK(fill(filled.linears[i], weights.linears[i]));
  for (size_t i = 0; i < weights.batch_norms.size(); ++i) {
    QUINTET_CHECK(fill(filled.norms[i], weights.batch_norms[i], table.batch_norms[i]));
  }
  return FloatNetwork(kernels, std::move(graph), table, std::move(filled));
}

Result<std::unique_ptr<Pass>> FloatNetwork::begin(std::span<const float> image, size_t height, size_t width,
                                                  StageObserver* observer) const {
  return make_pass(graph(), {*kernels_, graph(), parts_, {.stages = observer}}, image, height, width);
}

Result<std::vector<float>> FloatNetwork::observe(std::span<const float> image, size_t height, size_t width,
                                                 ActivationObserver& observer) const {
  QUINTET_CHECK(check_image(image, height, width));
  QUINTET_TRY(const std::unique_ptr<Pass> pass,
              make_pass(graph(), {*kernels_, graph(), parts_, {.activations = &observer}}, image, height, width));
  return finish(*pass);
}

}  // namespace quintet::resnet
