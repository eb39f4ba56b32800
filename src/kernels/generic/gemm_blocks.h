#pragma once
// The GEMM of weights and activations that are both quantized in blocks. The dot products of a block are exact; the
// float steps are the same in every variant.

#include "kernels/gemm_blocks.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/loops.h"
#include "kernels/generic/tiles.h"
#include "kernels/quantize.h"

namespace quintet::generic {

// Where the parts of a value are in a byte. Held by what unpacks weights, so that they stay in registers.
struct BitMaskConstants {
  SplatBits nibble = 0x0f0f0f0f;
  SplatBits fifth = 0x10101010;
  SplatBits pair = 0x30303030;
};
inline constexpr BitMaskConstants kBitMaskConstants;

struct BitMasks {
  explicit BitMasks(const BitMaskConstants& constants = loaded(kBitMaskConstants))
      : nibble(constants.nibble), fifth(constants.fifth), pair(constants.pair) {}

  v128_t nibble, fifth, pair;
};

// `halves` [0] holds u of rows 0 to 3 of the panel, [1] that of rows 4 to 7: a row's four columns together.
template <BlockBits kBits>
struct QuadWeights;

// Pairs of nibbles in bytes.
[[gnu::always_inline]] inline void split_nibbles(v128_t bytes, const BitMasks& masks, v128_t& low, v128_t& high) {
  low = wasm_v128_and(bytes, masks.nibble);
  high = wasm_v128_and(wasm_u16x8_shr(bytes, 4), masks.nibble);
}

template <>
struct QuadWeights<BlockBits::four> {
  static constexpr uint32_t kOffsetBits = 3;  // u = q + (1 << this)

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t, size_t quad, const BitMasks& masks) {
    split_nibbles(wasm_v128_load(record + quad * 16), masks, halves[0], halves[1]);
  }

  v128_t halves[2];
};

template <>
struct QuadWeights<BlockBits::five> {
  static constexpr uint32_t kOffsetBits = 4;

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t quads, size_t quad, const BitMasks& masks) {
    split_nibbles(wasm_v128_load(record + quad * 16), masks, halves[0], halves[1]);
    // Two quads at a time have fixed positions in the lower half of a byte.
    const uint32_t of_four = static_cast<uint32_t>(quad % 4);
    const v128_t bits = wasm_u16x8_shr(wasm_v128_load(record + (quads + quad / 4) * 16), of_four / 2 * 4);
    for (uint32_t half = 0; half < 2; ++half) {
      // Bits that would cross a byte border must not end up at bit 4.
      const v128_t shifted = wasm_i16x8_shl(bits, 4 - of_four % 2 * 2 - half);
      halves[half] = wasm_v128_or(halves[half], wasm_v128_and(shifted, masks.fifth));
    }
  }

  v128_t halves[2];
};

template <>
struct QuadWeights<BlockBits::six> {
  static constexpr uint32_t kOffsetBits = 5;

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t quads, size_t quad, const BitMasks& masks) {
    split_nibbles(wasm_v128_load(record + quad * 16), masks, halves[0], halves[1]);
    const v128_t bits = wasm_v128_load(record + (quads + quad / 2) * 16);
    for (uint32_t half = 0; half < 2; ++half) {
      // One shift to bit 4, not two: LLVM would mask what is between them. Masked bits never cross a byte border.
      const uint32_t at = static_cast<uint32_t>(quad % 2 * 4 + half * 2);
      const v128_t shifted = at <= 4 ? wasm_i16x8_shl(bits, 4 - at) : wasm_u16x8_shr(bits, at - 4);
      halves[half] = wasm_v128_or(halves[half], wasm_v128_and(shifted, masks.pair));
    }
  }

  v128_t halves[2];
};

template <>
struct QuadWeights<BlockBits::eight> {
  static constexpr uint32_t kOffsetBits = 7;

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t, size_t quad, const BitMasks&)
      : halves{wasm_v128_load(record + quad * 32), wasm_v128_load(record + quad * 32 + 16)} {}

  v128_t halves[2];
};

// Converts four finite halves to floats: their bits fit a float whose exponent is then too small by 112.
inline v128_t load_halves(const std::byte* p) {
  const v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4(p), 13);
  const v128_t small = wasm_v128_and(bits, wasm_i32x4_splat(static_cast<int32_t>(0x8fffffff)));
  return wasm_f32x4_mul(small, wasm_f32x4_splat(0x1p112f));
}

// Eight integers of 16 bits as floats.
[[gnu::always_inline]] inline void widen(v128_t words, v128_t (&out)[2]) {
  out[0] = wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(words));
  out[1] = wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(words));
}

// How a tile goes through a matrix: by values, because each call of a function of the matrix is code in every tile.
struct RecordParts {
  [[gnu::noinline]] explicit RecordParts(const BlockMatrix& w)
      : bytes(w.record_bytes()),
        scales(w.scales_at()),
        offsets(w.offsets_at()),
        panel_bytes(w.panel_bytes()),
        blocks(w.blocks()),
        quads(w.block_quads()),
        integers(w.layout().has_super_blocks()),
        together(integers ? w.super_block() : blocks),
        super_block_bytes(w.super_block_bytes()),
        half_scales(w.layout().scale_dtype == Dtype::f16),
        has_offsets(w.layout().has_offsets && !integers),
        offset_mask(integers && w.layout().has_offsets ? 0 : -1) {}

  [[gnu::always_inline]] void load_scales(const std::byte* record, v128_t (&out)[2]) const {
    const std::byte* p = record + scales;
    if (integers) return widen(wasm_i16x8_load8x8(p), out);
    out[0] = half_scales ? load_halves(p) : wasm_v128_load(p);
    out[1] = half_scales ? load_halves(p + 8) : wasm_v128_load(p + 16);
  }

  // Of a record: its size, and where its parts are.
  size_t bytes;
  size_t scales;
  size_t offsets;
  size_t panel_bytes;
  size_t blocks;    // of a row
  size_t quads;     // of a block
  bool integers;    // are the scales, in super-blocks
  size_t together;  // blocks with the same units: a super-block, or all
  size_t super_block_bytes;
  bool half_scales;
  bool has_offsets;  // in the records
  // 0 if weights are unsigned: in super-blocks with offsets. Otherwise dots start with an offset for u.
  int32_t offset_mask;
};

// Out of line: LLVM would mask numbers before they become vectors, in more instructions.
[[gnu::noinline]] inline v128_t opaque_splat(int32_t value) { return wasm_i32x4_splat(value); }

struct OperandsBlocks {
  const std::byte* q;
  const BlockMatrix& w;
  float* c;
  size_t c_stride;
};

// Number of quads in the blocks of most matrices, for which loops are unrolled.
template <BlockBits kBits>
constexpr size_t kWholeBlockQuads =
    (kBits == BlockBits::six ? BlockMatrix::kSixBitBlock : BlockMatrix::kMaxBlock) / kQuad;

// totals += exact dots of a block, times both scales.
template <class Block, size_t kRows>
[[gnu::always_inline]] inline void add_block(const v128_t (&dots)[kRows][2], const Block* q, const std::byte* record,
                                             const RecordParts& parts, v128_t (&totals)[kRows][2]) {
  v128_t scales[2];
  parts.load_scales(record, scales);
  for (size_t r = 0; r < kRows; ++r) {
    const v128_t scale = wasm_v128_load32_splat(&q[r].scale);
    for (size_t h = 0; h < 2; ++h) {
      const v128_t product = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(dots[r][h]), wasm_f32x4_mul(scales[h], scale));
      totals[r][h] = wasm_f32x4_add(totals[r][h], product);
    }
  }
  if (!parts.has_offsets) return;
  for (size_t r = 0; r < kRows; ++r) {
    const v128_t sum = wasm_v128_load32_splat(&q[r].scaled_sum);
    for (size_t h = 0; h < 2; ++h) {
      const v128_t offsets = wasm_v128_load(record + parts.offsets + h * 16);
      totals[r][h] = wasm_f32x4_add(totals[r][h], wasm_f32x4_mul(offsets, sum));
    }
  }
}

// The sums of a tile, in memory.
template <size_t kRows>
using TileSums = v128_t[kRows][2];

// totals += sums of a super-block, times their units, - those of its offsets; their parameters are at `p`. Called so
// rarely that it need not be part of every tile.
template <size_t kBand, class Block, size_t kRows>
[[gnu::noinline]] void add_super_block(const TileSums<kRows>& sums, const Block* q, const std::byte* p,
                                       const BlockMatrix& w, TileSums<kRows>& totals) {
  const std::byte* const units = p + w.units_at();
  for (size_t h = 0; h < 2; ++h) {
    const v128_t unit = load_halves(units + h * 8);
    for (size_t r = 0; r < kRows; ++r) totals[r][h] = wasm_f32x4_add(totals[r][h], wasm_f32x4_mul(unit, sums[r][h]));
  }
  if (!w.layout().has_offsets) return;
  v128_t offsets[kRows][2];
  for (auto& of_row : offsets) of_row[0] = of_row[1] = wasm_f32x4_splat(0);
  QUINTET_KEEP_LOOP
  for (; p < units; q += kBand, p += kPanelRows) {
    v128_t of_block[2];
    widen(wasm_u16x8_load8x8(p), of_block);
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t sum = wasm_v128_load32_splat(&q[r].scaled_sum);
      for (size_t h = 0; h < 2; ++h) offsets[r][h] = wasm_f32x4_add(offsets[r][h], wasm_f32x4_mul(of_block[h], sum));
    }
  }
  for (size_t h = 0; h < 2; ++h) {
    const v128_t unit = load_halves(units + 16 + h * 8);
    for (size_t r = 0; r < kRows; ++r) {
      totals[r][h] = wasm_f32x4_sub(totals[r][h], wasm_f32x4_mul(unit, offsets[r][h]));
    }
  }
}

// `Dot(parts).run<kQuads>(q, record, quads, dots)` sets dots[row] to the dot products of a block of each of kRows rows
// of a band with the eight rows of the record. kQuads is the number of quads, or 0 to use `quads`. Panels are
// processed one at a time even for a single row, which would benefit from more of them: memory is read half as fast in
// two streams. No loop is empty, which is not checked: that would be more code than the loops.
template <class Arithmetic, class Dot, size_t kQuads, size_t kRows>
void tile_blocks(const OperandsBlocks& in, size_t row, size_t panel, size_t count, const Epilogue& epilogue) {
  using Block = typename Dot::Block;
  const RecordParts parts(in.w);
  const Dot dot(parts);
  const size_t panel_end = panel + count;
  const Block* const rows = &BlockRow<const Block, Dot::kBand>(in.q, row, parts.blocks)[0];
  const std::byte* record = in.w.panel(0) + panel * parts.panel_bytes;
  do {
    const Block* q = rows;
    const Block* const q_end = q + parts.blocks * Dot::kBand;
    alignas(16) TileSums<kRows> finished, totals = {};
    do {
      const Block* const first = q;
      const Block* const end = q + parts.together * Dot::kBand;
      v128_t sums[kRows][2];
      for (auto& row_sums : sums) row_sums[0] = row_sums[1] = wasm_f32x4_splat(0);
      do {
        v128_t dots[kRows][2];
        dot.template run<kQuads>(q, record, parts.quads, dots);
        add_block(dots, q, record, parts, sums);
        record += parts.bytes;
        q += Dot::kBand;
      } while (q != end);
      std::copy_n(&sums[0][0], kRows * 2, &finished[0][0]);
      if (!parts.integers) break;
      add_super_block<Dot::kBand>(finished, first, record, in.w, totals);
      record += parts.super_block_bytes;
    } while (q != q_end);

    const size_t column = panel * kPanelRows;
    const auto* const all = reinterpret_cast<const float*>(parts.integers ? &totals : &finished);
    finish_long<Arithmetic>(all, kRows, epilogue,
                            {in.c, in.c_stride, row, column, std::min(kPanelRows, in.w.rows() - column)});
  } while (++panel != panel_end);
}

// `Tiles::whole<bits>` and `Tiles::any<bits>`: the tiles for whole blocks and those of any size. 6 bits only have one
// size.
template <class Tiles>
inline void gemm_blocks(const OperandsBlocks& in, const Epilogue& epilogue, const GemmTile& part) {
  const BlockBits bits = in.w.bits();
  if (in.w.block() == BlockMatrix::kMaxBlock || bits == BlockBits::six) {
    const auto& tiles = bits == BlockBits::four   ? Tiles::template whole<BlockBits::four>
                        : bits == BlockBits::five ? Tiles::template whole<BlockBits::five>
                        : bits == BlockBits::six  ? Tiles::template whole<BlockBits::six>
                                                  : Tiles::template whole<BlockBits::eight>;
    return cover<Tiles::kBand>(part, in.w.panel_bytes(), tiles, in, epilogue);
  }
  const auto& tiles = bits == BlockBits::four   ? Tiles::template any<BlockBits::four>
                      : bits == BlockBits::five ? Tiles::template any<BlockBits::five>
                                                : Tiles::template any<BlockBits::eight>;
  cover<Tiles::kBand>(part, in.w.panel_bytes(), tiles, in, epilogue);
}

}  // namespace quintet::generic
