#pragma once
// A ResNet of any kind, ready to run, and one image's way through it.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/resnet_graph.h"
#include "models/resnet/stage_observer.h"

namespace quintet::resnet {

// One image on its way, step by step, so that callers can look at their messages in between.
class Pass {
 public:
  virtual ~Pass() = default;
  // Computes the next stage: the stem, a block, or the tail. True when the logits are there. After an error the pass is
  // of no more use.
  virtual Result<bool> step() = 0;
  // One value a class, after the last step.
  virtual std::vector<float> logits() = 0;
};

class Network {
 public:
  virtual ~Network() = default;

  const ResNetGraph& graph() const { return graph_; }
  uint32_t input_channels() const { return input_channels_; }
  uint32_t classes() const { return classes_; }
  // Memory that the weights take.
  virtual uint64_t bytes() const = 0;

  // image [channels][height][width], normalised, of any size that the network can take; it is not needed afterwards.
  // The network, and the observer if there is one, must outlive the pass.
  Result<std::unique_ptr<Pass>> start(std::span<const float> image, size_t height, size_t width,
                                      StageObserver* observer = nullptr) const;

  // All steps at once.
  Result<std::vector<float>> logits(std::span<const float> image, size_t height, size_t width,
                                    StageObserver* observer = nullptr) const;

 protected:
  Network(ResNetGraph graph, const LayerTable& table);

  // Of an image that has as many values as its sizes say, and some.
  virtual Result<std::unique_ptr<Pass>> begin(std::span<const float> image, size_t height, size_t width,
                                              StageObserver* observer) const = 0;
  Status check_image(std::span<const float> image, size_t height, size_t width) const;

 private:
  ResNetGraph graph_;
  uint32_t input_channels_ = 0;
  uint32_t classes_ = 0;
};

// The logits at the end of a pass.
Result<std::vector<float>> finish(Pass& pass);

}  // namespace quintet::resnet
