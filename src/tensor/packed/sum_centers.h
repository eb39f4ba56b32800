#pragma once
// Centers of the sums of products with int8 weights, with which they fit 16 bits.
//
// A kernel may add the products of four adjacent quads, a block, before it widens them to 32 bits: of each output,
// those of columns {0, 1} of the four quads and those of columns {2, 3}. Such a sum of eight products with activations
// u = kActivationZero + a is 64 * (sum of the weights) + (sum of weight * a), and |a| <= 63. With -64 * (sum of the
// weights) added, its center, it fits 16 bits if the magnitudes of the weights are small enough, whatever the
// activations are. That is so for nearly all blocks of a trained network. The others, which are wide, are listed.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "tensor/packed/panel.h"

namespace quintet {

class SumCenters {
 public:
  // Quads of a block.
  static constexpr size_t kQuads = 4;

  struct Group {
    // [blocks][kPanelRows][2], in units of 256, modulo 256; 0 for the outputs of a wide half of a block.
    const int8_t* centers;
    // [kPanelRows]: what the centers of an output add up to.
    const int32_t* totals;
    // Ascending: the blocks that are wide for the first four outputs, and for the others.
    std::span<const uint16_t> wide_blocks[2];
  };

  SumCenters() = default;
  // Of groups of `quads` quads, of which those after the last whole block have no center.
  explicit SumCenters(size_t quads) : blocks_(quads / kQuads) {}

  size_t bytes() const;  // memory in use

  // Makes room for `groups` groups, of `whole` in the end. Those not appended have no wide blocks.
  Status grow(uint64_t groups, uint64_t whole);
  // Examines the next group of a panel, [quads][kPanelRows][kQuad].
  Status append(const int8_t* weights);
  Group group(size_t group) const {
    return {.centers = centers_.data() + group * blocks_ * kPanelRows * 2,
            .totals = totals_.data() + group * kPanelRows,
            .wide_blocks = {wide_blocks(2 * group), wide_blocks(2 * group + 1)}};
  }

 private:
  Status append_half(const int8_t* weights, size_t half);
  std::span<const uint16_t> wide_blocks(size_t list) const {
    const uint32_t begin = list == 0 ? 0 : ends_[list - 1];
    return {wide_.data() + begin, ends_[list] - begin};
  }

  size_t blocks_ = 0;    // of a group
  size_t appended_ = 0;  // groups
  AlignedBuffer<int8_t> centers_;
  AlignedBuffer<int32_t> totals_;
  AlignedBuffer<uint16_t> wide_;
  AlignedBuffer<uint32_t> ends_;  // in wide_, of two lists per group
};

}  // namespace quintet
