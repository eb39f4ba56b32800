#pragma once
// The state of a decoder's recurrent layers after some positions: of each layer the last inputs of its
// convolution over positions, and a block of numbers.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/aligned_buffer.h"

namespace quintet::decoder {

class RecurrentState {
 public:
  struct Sizes {
    size_t layers = 0;    // that are recurrent
    size_t inputs = 0;    // of a convolution that later positions see: one less than its length
    size_t channels = 0;  // of these inputs
    size_t values = 0;    // in the block of a layer

    bool exist() const { return bytes() != 0; }
    uint64_t bytes() const;  // the largest number if that exceeds 64 bits
  };

  // That before the first position: zeros. Null if out of memory.
  static std::shared_ptr<RecurrentState> create(const Sizes& sizes);
  void assign_inputs(const RecurrentState& other);
  void clear();

  // [inputs][channels], the oldest first.
  std::span<float> inputs(size_t layer) { return part(layer, 0, sizes_.inputs * sizes_.channels); }
  std::span<const float> inputs(size_t layer) const { return const_cast<RecurrentState*>(this)->inputs(layer); }
  std::span<float> values(size_t layer) { return part(layer, sizes_.inputs * sizes_.channels, sizes_.values); }
  std::span<const float> values(size_t layer) const { return const_cast<RecurrentState*>(this)->values(layer); }
  size_t bytes() const { return numbers_.capacity() * sizeof(float); }

 private:
  std::span<float> part(size_t layer, size_t begin, size_t count) {
    return numbers_.span().subspan(layer * (sizes_.inputs * sizes_.channels + sizes_.values) + begin, count);
  }

  Sizes sizes_;
  AlignedBuffer<float> numbers_;
};

}  // namespace quintet::decoder
