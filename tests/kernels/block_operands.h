#pragma once
// A block-quantized matrix beside the plain values it was made of.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/half.h"
#include "tensor/packed/block_matrix.h"
#include "tests/kernels/random.h"

namespace quintet::testing {

struct PlainBlocks {
  BlockMatrix::Layout layout;
  std::vector<int8_t> q = {};       // [rows][cols]
  std::vector<float> scales = {};   // [rows][blocks]
  std::vector<float> offsets = {};  // likewise, or empty

  size_t blocks() const { return layout.cols / layout.block; }
  double value(size_t row, size_t k) const {
    const size_t b = row * blocks() + k / layout.block;
    return double{scales[b]} * q[row * layout.cols + k] + (offsets.empty() ? 0 : double{offsets[b]});
  }
  // Appended so many rows at once, as far as panels allow.
  BlockMatrix packed(bool reserved = true, size_t at_once = 1) const {
    BlockMatrix matrix(layout);
    if (reserved) {
      EXPECT_TRUE(matrix.reserve());
    }
    for (size_t r = 0, count; r < layout.rows; r += count) {
      count = std::min({at_once, layout.rows - r, kPanelRows - r % kPanelRows});
      const std::span<const float> all(offsets);
      EXPECT_TRUE(matrix.append_rows(count, {q.data() + r * layout.cols, count * layout.cols},
                                     {scales.data() + r * blocks(), count * blocks()},
                                     all.empty() ? all : all.subspan(r * blocks(), count * blocks())));
    }
    return matrix;
  }
};

inline std::string text_of(const BlockMatrix::Layout& layout) {
  return std::to_string(static_cast<int>(layout.bits)) + " bits, " + std::to_string(layout.rows) + " x " +
         std::to_string(layout.cols) + ", blocks of " + std::to_string(layout.block) +
         (layout.scale_dtype == Dtype::f16 ? ", f16" : ", f32") + (layout.has_offsets ? ", offsets" : "");
}

// Values of the whole range of the bits, or only its least.
inline PlainBlocks plain_blocks(const BlockMatrix::Layout& layout, Random& random, bool extreme = false) {
  const int least = -(1 << (static_cast<int>(layout.bits) - 1));
  PlainBlocks plain = {.layout = layout};
  plain.q.resize(layout.rows * layout.cols);
  for (int8_t& q : plain.q) q = static_cast<int8_t>(extreme ? least : random.integer(least, -least - 1));
  const size_t count = layout.rows * plain.blocks();
  plain.scales = random.numbers(count);
  if (layout.scale_dtype == Dtype::f16) {
    // Subnormal halves as well.
    for (float& scale : plain.scales)
      scale = f16_to_f32(f32_to_f16(random.integer(0, 7) == 0 ? scale * 0x1p-15f : scale));
  }
  if (layout.has_offsets) plain.offsets = random.numbers(count);
  return plain;
}

template <class Check>
void for_all_layouts(size_t rows, size_t blocks, Check check) {
  for (const BlockBits bits : {BlockBits::four, BlockBits::five, BlockBits::eight}) {
    for (const size_t block : {1, 4, 7, 8, 12, 16, 18, 20, 32}) {
      for (const Dtype scales : {Dtype::f16, Dtype::f32}) {
        for (const bool offsets : {false, true})
          check(BlockMatrix::Layout{bits, rows, block * blocks, block, scales, offsets});
      }
    }
  }
}

}  // namespace quintet::testing
