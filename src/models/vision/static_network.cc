#include "models/vision/static_network.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/vision/pooling.h"
#include "models/vision/resnet_pass.h"

namespace quintet::vision {
namespace {

// The value that an activation represents.
auto value_with(float scale) {
  return [scale](int16_t q) { return scale * static_cast<float>(q); };
}

std::vector<float> values_of(const FeatureMap<int16_t>& pixel, float scale) {
  std::vector<float> values(pixel.channels);
  std::transform(pixel.at(0, 0), pixel.at(0, 0) + pixel.channels, values.begin(), value_with(scale));
  return values;
}

// The layers for ResNetPass. Activations are stored as q - zero_point.
class StaticLayers {
 public:
  using Map = FeatureMap<int16_t>;

  // `entries`: LayerTable::activations. The observer may be null.
  StaticLayers(const Kernels& kernels, const ResNetGraph& graph, const NetworkLayers<StaticConvolution>& layers,
               std::span<const ActivationQuantization> entries, StageObserver* observer)
      : kernels_(kernels), graph_(graph), layers_(layers), entries_(entries), observer_(observer) {}

  const ConvLayer& conv(uint32_t index) const { return layers_.convs[index].layer(); }
  MaxPoolI16* pooling() const { return kernels_.max_pool_i16; }

  Result<Map> input(std::span<const float> image, size_t height, size_t width) const;
  Result<Map> convolve(uint32_t index, const Map& x, size_t border) {
    return convolve(layers_.convs[index], x, border, true);
  }
  Result<Map> project(const ResNetBlock& block, const Map& x, size_t border) {
    return convolve(layers_.convs[block.downsample_conv()], x, border, false);
  }
  Status add(const ResNetBlock& block, const Map& x, Map& sum);
  Result<std::vector<float>> tail(const Map& x);
  void see(std::string_view stage, const ResNetBlock* block, const Map& x) const;

 private:
  Result<Map> convolve(const StaticConvolution& layer, const Map& x, size_t border, bool relu);
  // The input of a block.
  const ActivationQuantization& input_of(const ResNetBlock& block) const;

  // A step of the tail: quantizes floats, and converts them back.
  Result<Map> quantized(const char* stage, const ActivationQuantization& quantization, std::span<const float> x) const;
  Result<std::vector<float>> rounded(const char* stage, const ActivationQuantization& quantization,
                                     std::span<const float> x) const;
  Result<std::vector<float>> linear(uint32_t index, const Map& x);
  void see(std::string_view stage, const ActivationQuantization& quantization, const Map& x) const;

  const Kernels& kernels_;
  const ResNetGraph& graph_;
  const NetworkLayers<StaticConvolution>& layers_;
  std::span<const ActivationQuantization> entries_;
  StageObserver* observer_;
  StaticConvolution::Scratch scratch_;
};

Result<StaticLayers::Map> StaticLayers::input(std::span<const float> image, size_t height, size_t width) const {
  const ActivationQuantization& quantization = entries_[0];
  const auto quantize = [&](const float* from, size_t count, int16_t* to) {
    kernels_.quantize_static(from, count, quantization.scale, quantization.zero_point, to);
  };
  QUINTET_TRY(Map map, image_map<int16_t>(image, conv(0).in_channels, height, width, conv(0).padding, quantize));
  see("input", quantization, map);
  return map;
}

Result<StaticLayers::Map> StaticLayers::convolve(const StaticConvolution& layer, const Map& x, size_t border,
                                                 bool relu) {
  QUINTET_TRY(Map y, make_output(layer.layer(), x, border));
  QUINTET_CHECK(layer.apply(kernels_, x, y, layer.epilogue(relu), scratch_));
  return y;
}

const ActivationQuantization& StaticLayers::input_of(const ResNetBlock& block) const {
  const bool first = &block == graph_.blocks.data();
  return first ? conv(0).output : entries_[(&block - 1)->sum_activation];  // pooling keeps the stem's
}

Status StaticLayers::add(const ResNetBlock& block, const Map& x, Map& sum) {
  const StaticConvolution& layer = layers_.convs[block.last_conv()];
  const ActivationQuantization& entry = entries_[block.sum_activation];
  StaticEpilogue epilogue = layer.epilogue(false);
  epilogue.residual = sum.at(0, 0);
  epilogue.residual_scale = block.downsample ? conv(block.downsample_conv()).output.scale : input_of(block).scale;
  epilogue.sum_scale = entry.scale;
  epilogue.sum_zero_point = entry.zero_point;
  return layer.apply(kernels_, x, sum, epilogue, scratch_);
}

Result<std::vector<float>> StaticLayers::tail(const Map& x) {
  const ActivationQuantization& pooled = entries_[graph_.tail_activation];  // also of the last block's sum
  const auto value = value_with(pooled.scale);
  std::vector<float> features = global_average(x, value);
  if (graph_.tail == ResNetTail::plain) {
    QUINTET_TRY(const Map averages, quantized("pooled", pooled, features));
    return linear(0, averages);
  }

  const std::vector<float> maxima = global_max(x, value);
  features.insert(features.begin(), maxima.begin(), maxima.end());
  QUINTET_TRY(features, rounded("pooled", pooled, features));
  QUINTET_TRY(features, rounded("concat", entries_[graph_.concatenation_activation()], features));
  constexpr std::array<const char*, 2> kInputs = {"fc0_in", "fc1_in"};
  for (uint32_t i = 0; i < kInputs.size(); ++i) {
    layers_.norms[i].apply(features);
    QUINTET_TRY(const Map input, quantized(kInputs[i], entries_[graph_.linear_activation(i)], features));
    QUINTET_TRY(features, linear(i, input));
  }
  return features;
}

Result<StaticLayers::Map> StaticLayers::quantized(const char* stage, const ActivationQuantization& quantization,
                                                  std::span<const float> x) const {
  QUINTET_TRY(Map pixel, Map::make(1, 1, x.size(), 0));
  kernels_.quantize_static(x.data(), x.size(), quantization.scale, quantization.zero_point, pixel.at(0, 0));
  see(stage, quantization, pixel);
  return pixel;
}

Result<std::vector<float>> StaticLayers::rounded(const char* stage, const ActivationQuantization& quantization,
                                                 std::span<const float> x) const {
  QUINTET_TRY(const Map pixel, quantized(stage, quantization, x));
  return values_of(pixel, quantization.scale);
}

// A ReLU follows all except the last.
Result<std::vector<float>> StaticLayers::linear(uint32_t index, const Map& x) {
  const StaticConvolution& layer = layers_.linears[index];
  QUINTET_TRY(const Map y, convolve(layer, x, 0, index + 1 != layers_.linears.size()));
  see(index == 0 ? "fc0_out" : "fc1_out", layer.layer().output, y);
  return values_of(y, layer.layer().output.scale);
}

void StaticLayers::see(std::string_view stage, const ResNetBlock* block, const Map& x) const {
  see(stage, block == nullptr ? conv(0).output : entries_[block->sum_activation], x);
}

void StaticLayers::see(std::string_view stage, const ActivationQuantization& quantization, const Map& x) const {
  if (observer_ == nullptr) return;
  const auto byte = [&](int16_t q) { return static_cast<uint8_t>(q + quantization.zero_point); };
  observer_->see_bytes(stage, quantization, planes_of<uint8_t>(x, byte));
}

// A layer gets the quantization of its input.
auto layer_maker(const LayerTable& table, const ResNetGraph& graph) {
  return [inputs = layer_inputs(table, graph)](const ConvLayer& layer, size_t index) {
    return StaticConvolution(layer, inputs[index]);
  };
}

}  // namespace

StaticNetwork::StaticNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table)
    : LayeredNetwork(kernels, graph, table, layer_maker(table, graph)), entries_(table.activations) {}

Result<std::unique_ptr<Pass>> StaticNetwork::begin(std::span<const float> image, size_t height, size_t width,
                                                   StageObserver* observer) const {
  StaticLayers layers(*kernels_, graph(), layers_, entries_, observer);
  QUINTET_TRY(FeatureMap<int16_t> input, layers.input(image, height, width));
  return std::make_unique<ResNetPass<StaticLayers>>(graph(), std::move(layers), std::move(input));
}

}  // namespace quintet::vision
