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
    // [kPanelRows]: minus what the centers of an output add up to, with which its sum begins.
    const int32_t* starts;
    // [blocks]: halves of the outputs for which a block is wide, a bit each.
    const uint8_t* wide;
    uint32_t wide_halves;  // those that have wide blocks
  };

  SumCenters() = default;
  // Of groups of `quads` quads, of which those after the last whole block have no center.
  explicit SumCenters(size_t quads) : quads_(quads) {}

  size_t bytes() const { return records_.capacity(); }  // memory in use

  // Makes room for `groups` groups, of `whole` in the end.
  Status grow(uint64_t groups, uint64_t whole);
  // Examines the next group of a panel, [quads][kPanelRows][kQuad]. zero_terms [kPanelRows] += kActivationZero * sum of
  // the weights.
  void append(const int8_t* weights, int32_t* zero_terms);
  Group group(size_t group) const {
    const std::byte* const record = records_.data() + group * record_bytes();
    const Header& header = *reinterpret_cast<const Header*>(record);
    const auto* const centers = reinterpret_cast<const int8_t*>(record + sizeof(Header));
    return {.centers = centers,
            .starts = header.starts,
            .wide = reinterpret_cast<const uint8_t*>(centers + blocks() * kCentersOfBlock),
            .wide_halves = header.wide_halves};
  }

 private:
  static constexpr size_t kCentersOfBlock = kPanelRows * 2;

  // Of the record of a group, before the centers and what is wide.
  struct alignas(16) Header {
    int32_t starts[kPanelRows];
    uint32_t wide_halves;
  };

  size_t blocks() const { return quads_ / kQuads; }
  // A multiple of 16.
  size_t record_bytes() const { return sizeof(Header) + blocks() * kCentersOfBlock + (blocks() + 15) / 16 * 16; }

  size_t quads_ = 0;     // of a group
  size_t appended_ = 0;  // groups
  AlignedBuffer<std::byte> records_;
};

}  // namespace quintet
