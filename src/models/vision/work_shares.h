#pragma once
// The division of a layer's work into blocks that fit the cache, and into shares for the threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/thread_pool.h"
#include "formats/layer_table.h"
#include "kernels/kernels.h"
#include "models/panel_partition.h"

namespace quintet::vision {

// Divides `count` items of `work` operations each into parts that take at least some microseconds, as long as it takes
// to hand them to another thread.
inline Partition shares_of(size_t count, uint64_t work) {
  constexpr uint64_t kMin = 1 << 16;
  return Partition(count, static_cast<size_t>(std::max<uint64_t>(1, kMin / std::max<uint64_t>(1, work))));
}

// Divides outputs, in whole groups of those that kernels compute at once.
class OutputPartition {
 public:
  // `multiply_adds`: of one output.
  OutputPartition(size_t outputs, uint64_t multiply_adds)
      : outputs_(outputs), groups_(shares_of((outputs + kGroup - 1) / kGroup, kGroup * multiply_adds)) {}

  size_t parts() const { return groups_.parts; }
  size_t begin(size_t part) const { return groups_.begin(part) * kGroup; }
  size_t end(size_t part) const { return std::min(groups_.end(part) * kGroup, outputs_); }

 private:
  static constexpr size_t kGroup = 4;

  size_t outputs_;
  Partition groups_;
};

// The operands of the outputs of a layer.
struct LayerWork {
  LayerWork(const ConvLayer& layer, size_t outputs_, size_t panels_, size_t panel_values_)
      : outputs(outputs_),
        panels(panels_),
        input_values(size_t{layer.stride} * layer.stride * layer.in_channels),
        panel_values(panel_values_) {}

  size_t outputs;
  size_t panels;
  size_t input_values;  // of an output, without those shared with its neighbors
  size_t panel_values;  // each is multiplied with something for every output

  OutputPartition output_shares() const { return {outputs, uint64_t{panels} * panel_values}; }
  PanelPartition panel_shares() const { return {panels, uint64_t{outputs} * panel_values}; }

  // Each thread reads its share of the divided operand, and all of the other, so it is better to divide the larger one.
  bool has_more_weights() const { return uint64_t{panels} * panel_values > uint64_t{outputs} * input_values; }
};

// Memory that the convolutions of a pass reuse one after another.
template <class T>
struct ConvolutionScratch {
  AlignedBuffer<T> inputs;   // transformed
  AlignedBuffer<T> weights;  // of some panels, transformed or widened

  // At least `count` values, uninitialized.
  static Result<T*> room(AlignedBuffer<T>& buffer, uint64_t count) {
    if (buffer.capacity() < count) buffer = AlignedBuffer<T>();  // the old contents need not be copied
    QUINTET_CHECK(buffer.resize_uninitialized(count));
    return buffer.data();
  }
};

// Blocks of prepared weights, and of the inputs that they are multiplied with, stay in the cache.
constexpr size_t kBlockBytes = size_t{256} << 10;

// Number of items of `bytes` each that fit a block of `limit` bytes; at least one.
inline size_t block_of(size_t bytes, size_t limit = kBlockBytes) { return bytes < limit ? limit / bytes : 1; }

}  // namespace quintet::vision
