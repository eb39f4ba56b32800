#pragma once
// The path of an image through a ResNet (He et al. 2015, arXiv:1512.03385), the same for all kinds of layers.

#include <utility>
#include <vector>

#include "base/task.h"
#include "models/pace.h"
#include "models/vision/network.h"
#include "models/vision/pooling.h"

namespace quintet::vision {

// Layers implements the differences:
//   Map                         of activations
//   conv(index)                 ConvLayer
//   pooling()                   the max_pool kernel for Map
//   convolve(index, x, border)  -> Result<Map>, with a ReLU
//   project(block, x, border)   -> Result<Map>, the convolution in a block's shortcut
//   add(block, x, sum)          -> Status, sum = ReLU(last convolution of x + sum)
//   tail(x)                     -> Result<std::vector<float>>
//   see(stage, block, x)        shows a map to the observer; block: null for the stem
template <class Layers>
class ResNetPass final : public Pass {
 public:
  using Map = typename Layers::Map;

  ResNetPass(const ResNetGraph& graph, Layers layers, Map image)
      : graph_(graph), layers_(std::move(layers)), x_(std::move(image)), task_(run()) {
    pace_.start(task_);
  }
  ResNetPass(const ResNetPass&) = delete;  // the task refers to its pass

  Result<bool> step() override {
    if (!pace_.step()) return false;
    QUINTET_CHECK(task_.take());
    return true;
  }

  std::vector<float> take() override { return std::move(logits_); }

 private:
  // The border of a map is the padding of the convolution that reads it. That of a block's sum, which must match its
  // shortcut, is the same for all blocks.
  size_t border_for(uint32_t conv) const { return layers_.conv(conv).padding; }
  size_t block_border() const { return border_for(graph_.blocks[0].first_conv); }

  Task<Status> run() {
    QUINTET_CO_CHECK(stem());
    for (const ResNetBlock& each : graph_.blocks) {
      co_await pace_.pause();
      QUINTET_CO_CHECK(block(each));
    }
    co_await pace_.pause();
    QUINTET_CO_TRY(logits_, layers_.tail(x_));
    co_return Status();
  }

  Status stem() {
    if (graph_.cifar) {
      QUINTET_TRY(x_, layers_.convolve(0, x_, block_border()));
    } else {
      constexpr size_t kPoolingPadding = 1;
      QUINTET_TRY(x_, layers_.convolve(0, x_, kPoolingPadding));
      QUINTET_TRY(x_, max_pool(layers_.pooling(), x_, block_border()));
    }
    layers_.see("stem", nullptr, x_);
    return {};
  }

  // A ReLU follows every convolution except the last, to which the shortcut is added first.
  Status block(const ResNetBlock& block) {
    QUINTET_TRY(Map y, layers_.convolve(block.first_conv, x_, border_for(block.first_conv + 1)));
    QUINTET_CHECK(take_shortcut(block));
    for (uint32_t conv = block.first_conv + 1; conv != block.last_conv(); ++conv) {
      QUINTET_TRY(y, layers_.convolve(conv, y, border_for(conv + 1)));
    }
    QUINTET_CHECK(layers_.add(block, y, x_));
    layers_.see("block", &block, x_);
    return {};
  }

  // x_ becomes what the block's last convolution is added to.
  Status take_shortcut(const ResNetBlock& block) {
    if (block.downsample) {
      QUINTET_TRY(x_, layers_.project(block, x_, block_border()));
    } else if (block.stride != 1) {
      QUINTET_TRY(x_, subsampled(x_, layers_.conv(block.last_conv()).out_channels, block_border()));
    }
    return {};
  }

  const ResNetGraph& graph_;
  Layers layers_;
  Map x_;  // the input of the next stage
  std::vector<float> logits_;
  Task<Status> task_;
  Pace pace_;
};

}  // namespace quintet::vision
