#pragma once
// The GEMM of weights and activations that are both quantized in blocks. The dot products of a block are exact; what
// follows in float is the same in every variant.

#include "kernels/block_activations.h"
#include "kernels/generic/block_weights.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/tiles.h"

namespace quintet::generic {

struct OperandsBlocks {
  const std::byte* q;
  const BlockMatrix& w;
  float* c;
  size_t c_stride;
};

// Quads of the blocks that most matrices have, and for which the loops over them are unrolled.
constexpr size_t kWholeBlockQuads = BlockMatrix::kMaxBlock / kQuad;

// totals += exact dots of a block, times both scales.
template <class Block, size_t kRows>
[[gnu::always_inline]] inline void add_block(const v128_t (&dots)[kRows][2], const Block* const (&q)[kRows],
                                             const std::byte* record, const RecordParts& parts,
                                             v128_t (&totals)[kRows][2]) {
  v128_t scales[2];
  parts.load_scales(record, scales);
  for (size_t r = 0; r < kRows; ++r) {
    const v128_t scale = wasm_v128_load32_splat(&q[r]->scale);
    for (size_t h = 0; h < 2; ++h) {
      const v128_t product = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(dots[r][h]), wasm_f32x4_mul(scales[h], scale));
      totals[r][h] = wasm_f32x4_add(totals[r][h], product);
    }
  }
  if (!parts.has_offsets) return;
  for (size_t r = 0; r < kRows; ++r) {
    const v128_t sum = wasm_v128_load32_splat(&q[r]->scaled_sum);
    for (size_t h = 0; h < 2; ++h) {
      const v128_t offsets = wasm_v128_load(record + parts.offsets + h * 16);
      totals[r][h] = wasm_f32x4_add(totals[r][h], wasm_f32x4_mul(offsets, sum));
    }
  }
}

// `Dot::run<kQuads>(q, record, quads, dots)` sets dots[row] to the dot products of a block of each of kRows rows of
// activations with the eight rows of the record. kQuads is the number of quads, or 0: as `quads` says. Panels go one
// after another even for a single row, which would gain by more of them: memory is read half as fast in two streams.
template <class Arithmetic, class Dot, size_t kQuads, size_t kRows>
void tile_blocks(const OperandsBlocks& in, size_t row, size_t panel, size_t count, const Epilogue& epilogue) {
  using Block = typename Dot::Block;
  const RecordParts parts(in.w);
  const size_t blocks = in.w.blocks();
  const size_t quads = in.w.block_quads();
  const size_t panel_end = panel + count;
  for (; panel < panel_end; ++panel) {
    const std::byte* record = in.w.panel(panel);
    const Block* q[kRows];
    for (size_t r = 0; r < kRows; ++r)
      q[r] = reinterpret_cast<const Block*>(in.q + (row + r) * block_activation_bytes(blocks));

    v128_t totals[kRows][2];
    for (auto& row_totals : totals) row_totals[0] = row_totals[1] = wasm_f32x4_splat(0);
    for (size_t b = 0; b < blocks; ++b) {
      v128_t dots[kRows][2];
      Dot::template run<kQuads>(q, record, kQuads == 0 ? quads : kQuads, dots);
      add_block(dots, q, record, parts, totals);
      record += parts.bytes;
      for (size_t r = 0; r < kRows; ++r) ++q[r];
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
    return cover(part, in.w.panel_bytes(), Tiles::template whole<kBits>, in, epilogue);
  cover(part, in.w.panel_bytes(), Tiles::template any<kBits>, in, epilogue);
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
