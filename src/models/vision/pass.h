#pragma once
// An image network of any kind, and the path of one image through it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "architectures/vision/graph.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "models/vision/feature_map.h"

namespace quintet::vision {

// The output of a pass: one value per class, or the vector that the classifier reads.
enum class Output : uint8_t { logits, features };

// Runs one image through a network, step by step, so that callers can handle events in between.
class Pass {
 public:
  virtual ~Pass() = default;
  // Computes for some milliseconds. True once the output is available. After that, or an error, the pass cannot
  // continue.
  virtual Result<bool> step() = 0;
  // After the last step.
  virtual std::vector<float> take() = 0;
};

// All steps at once, and the output.
Result<std::vector<float>> finish(Pass& pass);

// Sees the map of each node once it is computed, that of the image first.
class NodeObserver {
 public:
  virtual ~NodeObserver() = default;
  virtual void see_floats(NodeId, const FeatureMap<float>&) {}
  // A statically quantized network has these: its maps hold q - zero_point.
  virtual void see_integers(NodeId, const FeatureMap<int16_t>&, const ActivationQuantization&) {}
};

class ImageNetwork {
 public:
  virtual ~ImageNetwork() = default;

  const Graph& graph() const { return graph_; }
  uint32_t input_channels() const { return graph_.input_channels(); }
  uint32_t classes() const { return graph_.classes; }
  // Numbers of a vector of features.
  uint32_t features() const { return graph_.nodes[graph_.features].channels; }
  // Usual side length of the input.
  uint32_t usual_input_size() const { return graph_.input_size; }
  // Memory of the weights.
  virtual uint64_t bytes() const = 0;
  // The most memory that a pass over an image of the usual size takes.
  virtual uint64_t work_bytes() const = 0;

  // image [channels][height][width], normalized, of any size that the network accepts; it is not needed afterwards. The
  // network must outlive the pass, and so must the observer, if there is one.
  virtual Result<std::unique_ptr<Pass>> start(std::span<const float> image, size_t height, size_t width, Output output,
                                              NodeObserver* observer = nullptr) const = 0;

  // All steps at once.
  Result<std::vector<float>> logits(std::span<const float> image, size_t height, size_t width,
                                    NodeObserver* observer = nullptr) const;

 protected:
  explicit ImageNetwork(Graph graph) : graph_(std::move(graph)) {}

  // INPUT for an empty image, or one with another number of values than its sizes imply.
  Status check_image(std::span<const float> image, size_t height, size_t width) const;

 private:
  Graph graph_;
};

}  // namespace quintet::vision
