#pragma once
// Centers of the sums of products with int8 weights, with which they fit 16 bits.
//
// A kernel may add the products of four adjacent quads, a block, before it widens them to 32 bits: of each output,
// those of columns {0, 1} of the four quads and those of columns {2, 3}. Such a sum of eight products with activations
// u = kActivationZero + a is 64 * (sum of the weights) + (sum of weight * a), and |a| <= 63. With -64 * (sum of the
// weights) added, its center, it fits 16 bits if the magnitudes of the weights are small enough, whatever the
// activations are. That is so for nearly all blocks of a trained network. The others, which are wide, have no center.

#include <cstddef>
#include <cstdint>

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
    // [kPanelRows]: minus the sum of an output's centers, which is where its sum starts.
    const int32_t* starts;
    // Whether a block is wide for the first four outputs, and for the others: bit i % 64 of word i / 64.
    const uint64_t* wide[2];
    size_t words;
  };

  SumCenters() = default;
  // Of groups of `quads` quads. If the last block is not whole, it counts as wide.
  explicit SumCenters(size_t quads);

  size_t bytes() const { return records_.capacity(); }  // memory in use

  // Makes room for `groups` groups, of `whole` in the end.
  Status grow(uint64_t groups, uint64_t whole);
  // Examines the next group of a panel, [quads][kPanelRows][kQuad]. zero_terms [kPanelRows] += kActivationZero * sum of
  // the weights.
  void append(const int8_t* weights, int32_t* zero_terms);
  Group group(size_t group) const {
    const std::byte* const record = records_.data() + group * record_bytes_;
    const auto* const wide = reinterpret_cast<const uint64_t*>(record + wide_at_);
    return {.centers = reinterpret_cast<const int8_t*>(record + kStartsBytes),
            .starts = reinterpret_cast<const int32_t*>(record),
            .wide = {wide, wide + words_},
            .words = words_};
  }

 private:
  static constexpr size_t kStartsBytes = kPanelRows * sizeof(int32_t);
  static constexpr size_t kBlockCenters = kPanelRows * 2;

  // Of a group:
  size_t quads_ = 0;
  size_t blocks_ = 0;
  size_t words_ = 0;
  // Its record has the starts, the centers, and which blocks are wide: multiples of 16 bytes.
  size_t wide_at_ = 0;
  size_t record_bytes_ = 0;

  size_t appended_ = 0;  // groups
  AlignedBuffer<std::byte> records_;
};

}  // namespace quintet
