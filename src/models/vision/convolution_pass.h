#pragma once
// Passes in float32 over networks of convolutions, whose layers may be dynamically quantized.

#include <cstdint>
#include <span>
#include <vector>

#include "models/vision/node_layer.h"
#include "models/vision/node_pass.h"
#include "models/vision/work_shares.h"

namespace quintet::vision {

class ConvolutionPass : public NodePass<float> {
 public:
  using Layer = NodeLayer;

  ConvolutionPass(Start start, std::span<const NodeLayer> layers) : NodePass(std::move(start)), layers_(layers) {}

  // Values of the image to those of its map.
  static void convert(const Kernels&, const NodeLayer&, const float* from, size_t count, float* to) {
    std::copy_n(from, count, to);
  }

 protected:
  // INTERNAL for an operation that convolutional networks do not have. Clamps are the only activations.
  Result<Map> result_of(NodeId id, const Node& node) override;

  // visit(line) for all lines of a map, shared among threads.
  template <class Visit>
  static void each_line(const Map& y, uint64_t work, Visit visit) {
    const Partition lines = shares_of(y.height, work * y.width * y.channels);
    parallel_for(lines.parts, [&](size_t part, size_t) {
      for (size_t line = lines.begin(part); line < lines.end(part); ++line) visit(line);
    });
  }

  // The map of a node that is read here for the last time, to be overwritten; otherwise a copy with the border of `id`.
  Result<Map> taken(NodeId from, NodeId id);

  std::span<const NodeLayer> layers_;

 private:
  std::vector<float> values_of(NodeId id) const override;
  void show(NodeObserver& observer, NodeId id) const override { observer.see_floats(id, maps_[id]); }

  Result<Map> convolve(NodeId id, const Node& node);
  Result<Map> sum(NodeId id, const Node& node);
  Result<Map> batch_norm(NodeId id, const Map& x) const;

  LayerScratch scratch_;
};

}  // namespace quintet::vision
