#pragma once
// Centers of the sums of products with int8 weights, with which they fit 16 bits.
//
// A kernel may add the products of eight adjacent quads, a block, before it widens them to 32 bits: of each output,
// those of columns {0, 1} of the quads and those of columns {2, 3}. Such a sum of sixteen products with activations
// u = kActivationZero + a is 64 * (sum of the weights) + (sum of weight * a). With -64 * (sum of the weights) added,
// its center, the second part remains, which by Cauchy and Schwarz is at most |weights| * |a|. So the sums of squares
// on both sides show whether it fits 16 bits. Nearly always it does, because large values are rare among the weights
// of a network, and among its activations.

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "tensor/packed/panel.h"

namespace quintet {

class SumCenters {
 public:
  // Quads of a block. Those that are left at the end of a group belong to none.
  static constexpr size_t kQuads = 8;
  // In 16 bits.
  static constexpr int32_t kUnit = 512;
  // A sum fits 16 bits if the product of the sums of squares is at most this. A rounded center may be wrong by half a
  // unit; 1 - 2^-20 makes up for the rounding of the product.
  static constexpr float kMaxSquares =
      static_cast<float>(INT16_MAX - kUnit / 2) * static_cast<float>(INT16_MAX - kUnit / 2) * (1 - 0x1p-20f);

  struct Group {
    // [blocks][kPanelRows][2], in units of kUnit.
    const int8_t* centers;
    // [kPanelRows]: minus the sum of an output's centers, which is where its sum starts.
    const int32_t* starts;
    // [blocks]: the greatest sum of squares of the weights of a sum, or a little more. Infinity if a center would not
    // fit a byte: then the block has none.
    const float* squares;
  };

  SumCenters() = default;
  // For groups of `quads` quads.
  explicit SumCenters(size_t quads);

  size_t bytes() const { return records_.capacity(); }   // memory in use
  size_t record_bytes() const { return record_bytes_; }  // of a group

  // Makes room for `groups` groups, of `whole` in the end.
  Status grow(uint64_t groups, uint64_t whole);
  // Examines the next group of a panel, [quads][kPanelRows][kQuad]. zero_terms [kPanelRows] += kActivationZero * sum of
  // the weights.
  void append(const int8_t* weights, int32_t* zero_terms);
  Group group(size_t group) const {
    const std::byte* const record = records_.data() + group * record_bytes_;
    return {.centers = reinterpret_cast<const int8_t*>(record + kStartsBytes),
            .starts = reinterpret_cast<const int32_t*>(record),
            .squares = reinterpret_cast<const float*>(record + squares_at_)};
  }

 private:
  static constexpr size_t kStartsBytes = kPanelRows * sizeof(int32_t);
  static constexpr size_t kBlockCenters = kPanelRows * 2;

  // The size of a group:
  size_t quads_ = 0;
  size_t blocks_ = 0;
  // Its record has the starts, the centers and the squares: multiples of 16 bytes.
  size_t squares_at_ = 0;
  size_t record_bytes_ = 0;

  size_t appended_ = 0;  // groups
  AlignedBuffer<std::byte> records_;
};

}  // namespace quintet
