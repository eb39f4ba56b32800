#pragma once
// Passes over statically quantized networks: their integers equal those of the format's original runtime
// (docs/formats/tinyruntime.md). Maps hold q - zero_point.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "formats/model_sink.h"
#include "formats/tinyruntime/tensors.h"
#include "models/vision/node_pass.h"
#include "models/vision/static_convolution.h"

namespace quintet::vision {

// The weights of a node, if it has any.
struct StaticLayer {
  ActivationQuantization output;  // of the node's result
  std::optional<StaticConvolution> convolution = {};
  AlignedBuffer<float> batch_norm = {};  // its arrays, one after another

  uint64_t bytes() const { return batch_norm.capacity() * sizeof(float) + (convolution ? convolution->bytes() : 0); }
  // For the tensors of the layer, which must not move while sinks are in use.
  Result<std::unique_ptr<ByteSink>> sink(tinyruntime::TensorPart part, const TensorArrival& tensor);
};

class StaticPass final : public NodePass<int16_t> {
 public:
  using Layer = StaticLayer;

  StaticPass(Start start, std::span<const StaticLayer> layers) : NodePass(std::move(start)), layers_(layers) {}

  // Values of the image to those of its map.
  static void convert(const Kernels& kernels, const StaticLayer& image, const float* from, size_t count, int16_t* to) {
    kernels.quantize_static(from, count, image.output.scale, image.output.zero_point, to);
  }

 private:
  Result<Map> result_of(NodeId id, const Node& node) override;
  std::vector<float> values_of(NodeId id) const override;
  void show(NodeObserver& observer, NodeId id) const override {
    observer.see_integers(id, maps_[id], layers_[id].output);
  }

  Result<Map> convolve(NodeId id, const Node& node);
  // A map of one pixel.
  Result<Map> quantized(NodeId id, std::span<const float> values) const;

  std::span<const StaticLayer> layers_;
  StaticConvolution::Scratch scratch_;
};

}  // namespace quintet::vision
