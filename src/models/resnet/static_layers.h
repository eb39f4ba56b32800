#pragma once
// The layers of a statically quantized network, as GraphPass takes them (RULINGS "tinyRuntime" 5). Activations are kept
// as q - zero_point.

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "formats/resnet_graph.h"
#include "kernels/kernels.h"
#include "models/resnet/network_parts.h"
#include "models/resnet/stage_observer.h"
#include "models/resnet/static_convolution.h"

namespace quintet::resnet {

class StaticLayers {
 public:
  using Map = FeatureMap<int16_t>;

  // `entries`: LayerTable::activations. The observer may be null.
  StaticLayers(const Kernels& kernels, const ResNetGraph& graph, const NetworkParts<StaticConvolution>& parts,
               std::span<const ActivationQuantization> entries, StageObserver* observer)
      : kernels_(kernels), graph_(graph), parts_(parts), entries_(entries), observer_(observer) {}

  const ConvLayer& conv(uint32_t index) const { return parts_.convs[index].layer(); }
  MaxPoolI16* pooling() const { return kernels_.max_pool_i16; }

  Result<Map> input(std::span<const float> image, size_t height, size_t width) const;
  Result<Map> convolve(uint32_t index, const Map& x, size_t border) {
    return convolve(parts_.convs[index], x, border, true);
  }
  Result<Map> project(const ResNetBlock& block, const Map& x, size_t border) {
    return convolve(parts_.convs[block.downsample_conv()], x, border, false);
  }
  Status add(const ResNetBlock& block, const Map& x, Map& sum);
  Result<std::vector<float>> tail(const Map& x);
  void see(std::string_view stage, const ResNetBlock* block, const Map& x) const;

 private:
  Result<Map> convolve(const StaticConvolution& layer, const Map& x, size_t border, bool relu);
  // What a block reads.
  const ActivationQuantization& input_of(const ResNetBlock& block) const;

  // A step of the tail: floats become activations, which are floats again.
  Result<Map> quantized(const char* stage, const ActivationQuantization& quantization, std::span<const float> x) const;
  Result<std::vector<float>> rounded(const char* stage, const ActivationQuantization& quantization,
                                     std::span<const float> x) const;
  Result<std::vector<float>> linear(uint32_t index, const Map& x);
  void see(std::string_view stage, const ActivationQuantization& quantization, const Map& x) const;

  const Kernels& kernels_;
  const ResNetGraph& graph_;
  const NetworkParts<StaticConvolution>& parts_;
  std::span<const ActivationQuantization> entries_;
  StageObserver* observer_;
  StaticConvolution::Scratch scratch_;
};

}  // namespace quintet::resnet
