#pragma once
// Convolutions that prepare their operands for the kernel: a block of windows and a block of panels of weights at a
// time, which stay in the cache together, shared among threads.

#include <algorithm>
#include <cstddef>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/convolution.h"
#include "models/vision/work_shares.h"

namespace quintet::vision {

// Memory that layers reuse one after another.
struct BlockedScratch {
  AlignedBuffer<std::byte> windows;
  AlignedBuffer<float> scales;  // of windows, for layers that have them
  AlignedBuffer<std::byte> panels;
};

// The division of a layer's work. Windows are prepared in groups.
struct BlockedWork {
  LayerWork layer;
  size_t windows_in_group;
  size_t group_bytes;  // of a prepared group of windows; 0 if the kernel reads the map itself
  size_t group_scales;
  size_t panel_bytes;  // of a prepared panel
  size_t window_cost;  // operations per byte of a prepared window, relative to a multiplication

  // The largest blocks of windows and of panels.
  size_t max_window_bytes;
  size_t max_panel_bytes;

  size_t groups() const { return (layer.outputs + windows_in_group - 1) / windows_in_group; }
  size_t first_window(size_t group) const { return std::min(group * windows_in_group, layer.outputs); }
};

class BlockedLayer {
 public:
  explicit BlockedLayer(const BlockedWork& work) : work_(work) {}
  virtual ~BlockedLayer() = default;

  const BlockedWork& work() const { return work_; }

  virtual void prepare_windows(size_t begin, size_t end, std::byte* windows, float* scales) const = 0;
  virtual void prepare_panels(size_t begin, size_t end, std::byte* panels) const = 0;
  // Computes one tile from its prepared windows and panels.
  virtual void multiply(const std::byte* windows, const float* scales, const std::byte* panels,
                        const ConvTile& tile) const = 0;

 private:
  BlockedWork work_;
};

Status convolve(const BlockedLayer& layer, BlockedScratch& scratch);

}  // namespace quintet::vision
