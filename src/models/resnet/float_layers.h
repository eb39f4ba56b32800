#pragma once
// The layers of networks whose activations are float32, as GraphPass takes them; what quantizes inside of a layer is
// the layer's business.

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/resnet_graph.h"
#include "kernels/kernels.h"
#include "models/resnet/activation_observer.h"
#include "models/resnet/image_map.h"
#include "models/resnet/network_parts.h"
#include "models/resnet/pooling.h"
#include "models/resnet/stage_observer.h"

namespace quintet::resnet {

// Either may be null.
struct FloatObservers {
  StageObserver* stages = nullptr;
  ActivationObserver* activations = nullptr;
};

// Layer: FloatConvolution or DynamicConvolution.
template <class Layer>
class FloatLayers {
 public:
  using Map = FeatureMap<float>;

  FloatLayers(const Kernels& kernels, const ResNetGraph& graph, const NetworkParts<Layer>& parts,
              FloatObservers observers)
      : kernels_(kernels), graph_(graph), parts_(parts), observers_(observers) {}

  const ConvLayer& conv(uint32_t index) const { return parts_.convs[index].layer(); }
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
    return parts_.convs[block.last_conv()].apply(kernels_, x, sum, {.residual = sum.at(0, 0), .relu = true}, scratch_);
  }

  Result<std::vector<float>> tail(const Map& x) {
    // The averages share their entry of the activation table with the last block's sum, whose range holds them.
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
    const Layer& layer = kind == ActivationSite::Kind::conv ? parts_.convs[index] : parts_.linears[index];
    QUINTET_TRY(Map y, make_output(layer.layer(), x, border));
    QUINTET_CHECK(layer.apply(kernels_, x, y, {.relu = relu}, scratch_));
    observe(kind, index, y);
    return y;
  }

  // What is observed of the convolution is without the shortcut.
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
    parts_.norms[index].apply(x);
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
  const NetworkParts<Layer>& parts_;
  FloatObservers observers_;
  typename Layer::Scratch scratch_;
};

}  // namespace quintet::resnet
