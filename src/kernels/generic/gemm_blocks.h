#pragma once
// The GEMM of weights and activations that are both quantized in blocks. The dot products of a block are exact; the
// float steps are the same in every variant.

#include "kernels/gemm_blocks.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/tiles.h"
#include "kernels/quantize.h"

namespace quintet::generic {

// `halves` [0] holds u of rows 0 to 3 of the panel, [1] that of rows 4 to 7: a row's four columns together.
template <BlockBits kBits>
struct QuadWeights;

// Pairs of nibbles in bytes.
[[gnu::always_inline]] inline void split_nibbles(v128_t bytes, v128_t& low, v128_t& high) {
  const v128_t nibble = wasm_i8x16_splat(15);
  low = wasm_v128_and(bytes, nibble);
  high = wasm_v128_and(wasm_u16x8_shr(bytes, 4), nibble);
}

template <>
struct QuadWeights<BlockBits::four> {
  static constexpr uint32_t kOffsetBits = 3;  // u = q + (1 << this)

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t, size_t quad) {
    split_nibbles(wasm_v128_load(record + quad * 16), halves[0], halves[1]);
  }

  v128_t halves[2];
};

template <>
struct QuadWeights<BlockBits::five> {
  static constexpr uint32_t kOffsetBits = 4;

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t quads, size_t quad) {
    split_nibbles(wasm_v128_load(record + quad * 16), halves[0], halves[1]);
    // Two quads at a time have fixed positions in the lower half of a byte.
    const uint32_t of_four = static_cast<uint32_t>(quad % 4);
    const v128_t bits = wasm_u16x8_shr(wasm_v128_load(record + (quads + quad / 4) * 16), of_four / 2 * 4);
    for (uint32_t half = 0; half < 2; ++half) {
      // Bits that would cross a byte border must not end up at bit 4.
      const v128_t shifted = wasm_i16x8_shl(bits, 4 - of_four % 2 * 2 - half);
      halves[half] = wasm_v128_or(halves[half], wasm_v128_and(shifted, wasm_i8x16_splat(16)));
    }
  }

  v128_t halves[2];
};

template <>
struct QuadWeights<BlockBits::eight> {
  static constexpr uint32_t kOffsetBits = 7;

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t, size_t quad)
      : halves{wasm_v128_load(record + quad * 32), wasm_v128_load(record + quad * 32 + 16)} {}

  v128_t halves[2];
};

// Converts four finite halves to floats: their bits fit a float whose exponent is then too small by 112.
inline v128_t load_halves(const std::byte* p) {
  const v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4(p), 13);
  const v128_t small = wasm_v128_and(bits, wasm_i32x4_splat(static_cast<int32_t>(0x8fffffff)));
  return wasm_f32x4_mul(small, wasm_f32x4_splat(0x1p112f));
}

// The position of scales and offsets in a record.
struct RecordParts {
  explicit RecordParts(const BlockMatrix& w)
      : bytes(w.record_bytes()),
        scales(w.scales_at()),
        offsets(w.offsets_at()),
        half_scales(w.layout().scale_dtype == Dtype::f16),
        has_offsets(w.layout().has_offsets) {}

  [[gnu::always_inline]] void load_scales(const std::byte* record, v128_t (&out)[2]) const {
    const std::byte* p = record + scales;
    out[0] = half_scales ? load_halves(p) : wasm_v128_load(p);
    out[1] = half_scales ? load_halves(p + 8) : wasm_v128_load(p + 16);
  }

  size_t bytes;
  size_t scales;
  size_t offsets;
  bool half_scales;
  bool has_offsets;
};

struct OperandsBlocks {
  const std::byte* q;
  const BlockMatrix& w;
  float* c;
  size_t c_stride;
};

// Number of quads in the blocks of most matrices, for which loops are unrolled.
constexpr size_t kWholeBlockQuads = BlockMatrix::kMaxBlock / kQuad;

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

// `Dot().run<kQuads>(q, record, quads, dots)` sets dots[row] to the dot products of a block of each of kRows rows of a
// band with the eight rows of the record. kQuads is the number of quads, or 0 to use `quads`. Panels are
// processed one at a time even for a single row, which would benefit from more of them: memory is read half as fast in
// two streams.
template <class Arithmetic, class Dot, size_t kQuads, size_t kRows>
void tile_blocks(const OperandsBlocks& in, size_t row, size_t panel, size_t count, const Epilogue& epilogue) {
  using Block = typename Dot::Block;
  const RecordParts parts(in.w);
  const Dot dot;
  const size_t blocks = in.w.blocks();
  const size_t quads = in.w.block_quads();
  const size_t panel_end = panel + count;
  for (; panel < panel_end; ++panel) {
    const std::byte* record = in.w.panel(panel);
    const Block* q = &BlockRow<const Block, Dot::kBand>(in.q, row, blocks)[0];

    v128_t totals[kRows][2];
    for (auto& row_totals : totals) row_totals[0] = row_totals[1] = wasm_f32x4_splat(0);
    for (size_t b = 0; b < blocks; ++b) {
      v128_t dots[kRows][2];
      dot.template run<kQuads>(q, record, kQuads == 0 ? quads : kQuads, dots);
      add_block(dots, q, record, parts, totals);
      record += parts.bytes;
      q += Dot::kBand;
    }

    const size_t column = panel * kPanelRows;
    finish_long<Arithmetic>(totals, epilogue,
                            {in.c, in.c_stride, row, column, std::min(kPanelRows, in.w.rows() - column)});
  }
}

// `Tiles::whole<bits>` and `Tiles::any<bits>`: the tiles for whole blocks and those of any size.
template <class Tiles, BlockBits kBits>
inline void gemm_blocks(const OperandsBlocks& in, const Epilogue& epilogue, const GemmTile& part) {
  if (in.w.block() == BlockMatrix::kMaxBlock)
    return cover<Tiles::kBand>(part, in.w.panel_bytes(), Tiles::template whole<kBits>, in, epilogue);
  cover<Tiles::kBand>(part, in.w.panel_bytes(), Tiles::template any<kBits>, in, epilogue);
}

template <class Tiles>
inline void gemm_blocks(const OperandsBlocks& in, const Epilogue& epilogue, const GemmTile& part) {
  switch (in.w.bits()) {
    case BlockBits::four:
      return gemm_blocks<Tiles, BlockBits::four>(in, epilogue, part);
    case BlockBits::five:
      return gemm_blocks<Tiles, BlockBits::five>(in, epilogue, part);
    case BlockBits::eight:
      return gemm_blocks<Tiles, BlockBits::eight>(in, epilogue, part);
  }
}

}  // namespace quintet::generic
