#pragma once
// A block-quantized matrix next to the plain values it was made from.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
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
  // Appends `at_once` rows at a time, as far as panels allow.
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
         (layout.scale_dtype == Dtype::f16   ? ", f16"
          : layout.scale_dtype == Dtype::f32 ? ", f32"
                                             : ", super-blocks") +
         (layout.has_offsets ? ", offsets" : "");
}

// Values of the whole range of the bits, or only its least.
inline PlainBlocks plain_blocks(const BlockMatrix::Layout& layout, Random& random, bool extreme = false) {
  const int min = -(1 << (static_cast<int>(layout.bits) - 1));
  PlainBlocks plain = {.layout = layout};
  plain.q.resize(layout.rows * layout.cols);
  for (int8_t& q : plain.q) q = static_cast<int8_t>(extreme ? min : random.integer(min, -min - 1));
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

// Random bytes are valid super-blocks except for their units. Extreme: all bits are set, so that values, scales and
// offsets have a large magnitude. The rows beyond the last one are not zero.
inline BlockMatrix random_super_blocks(const BlockMatrix::Layout& layout, Random& random, bool extreme = false) {
  BlockMatrix matrix(layout);
  EXPECT_TRUE(matrix.extend(layout.rows));
  const size_t units = layout.has_offsets ? 2 * kPanelRows : kPanelRows;
  const size_t records = matrix.super_block() * matrix.record_bytes();
  for (size_t p = 0; p < matrix.panels(); ++p) {
    std::byte* at = matrix.panel(p);
    for (size_t s = 0; s < layout.cols / BlockMatrix::kSuperBlock; ++s) {
      for (size_t i = 0; i < records + matrix.super_block_bytes(); ++i) {
        at[i] = static_cast<std::byte>(extreme ? 255 : random.integer(0, 255));
      }
      if (extreme) {
        // The scales: the greatest with 6 bits, or the least.
        for (size_t b = 0; b < matrix.super_block(); ++b) {
          std::fill(at + b * matrix.record_bytes() + matrix.scales_at(), at + (b + 1) * matrix.record_bytes(),
                    std::byte{layout.has_offsets ? uint8_t{63} : uint8_t{128}});
        }
      }
      at += records + matrix.units_at();
      for (const float unit : random.numbers(units)) {
        const uint16_t half = f32_to_f16(random.integer(0, 7) == 0 ? unit * 0x1p-15f : unit);
        std::memcpy(at, &half, sizeof half);
        at += sizeof half;
      }
    }
  }
  return matrix;
}

inline BlockMatrix random_blocks(const BlockMatrix::Layout& layout, Random& random, bool extreme = false) {
  if (layout.has_super_blocks()) return random_super_blocks(layout, random, extreme);
  return plain_blocks(layout, random, extreme).packed();
}

template <class Check>
void for_all_super_blocks(size_t rows, size_t super_blocks, Check check) {
  for (const BlockBits bits : {BlockBits::four, BlockBits::five, BlockBits::six, BlockBits::eight}) {
    for (const size_t block : {16, 32}) {
      if (bits == BlockBits::six && block != BlockMatrix::kSixBitBlock) continue;
      for (const bool offsets : {false, true}) {
        if (offsets && bits >= BlockBits::six) continue;  // no type has them
        check({bits, rows, super_blocks * BlockMatrix::kSuperBlock, block, Dtype::i8, offsets});
      }
    }
  }
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
