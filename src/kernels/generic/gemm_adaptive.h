#pragma once
// The GEMM of weights whose blocks differ in precision. Each block is unpacked once for all rows of a tile. Products
// are added in four lanes, which are added at the end of a row.

#include "kernels/gemm_adaptive.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/half.h"
#include "kernels/generic/tiles.h"
#include "kernels/quantize.h"

namespace quintet::generic {

// The values of a record of AdaptiveMatrix as bytes: [0] the first 16 and [1] the last 16, zero beyond the block.

constexpr size_t kRecordScaleBytes = 4;

inline float record_scale(const std::byte* record) { return *reinterpret_cast<const float*>(record); }

struct NibbleConstants {
  SplatBits low = 0x0f0f0f0f;
  SplatBits sixteen = 0x10101010;
  alignas(16) uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
};
inline constexpr NibbleConstants kNibbleConstants;

// INT4 and INT5 in whole blocks: u, which is q + (1 << kOffsetBits).
struct Int4Record {
  static constexpr uint32_t kOffsetBits = 3;

  [[gnu::always_inline]] explicit Int4Record(const std::byte* record) {
    const NibbleConstants& constants = loaded(kNibbleConstants);
    const v128_t nibbles = wasm_v128_load(record + kRecordScaleBytes);
    bytes[0] = wasm_v128_and(nibbles, constants.low);
    bytes[1] = wasm_v128_and(wasm_u16x8_shr(nibbles, 4), constants.low);
  }

  v128_t bytes[2];
};

struct Int5Record {
  static constexpr uint32_t kOffsetBits = 4;

  [[gnu::always_inline]] explicit Int5Record(const std::byte* record) {
    const Int4Record low(record);
    const v128_t high = wasm_v128_load32_splat(record + kRecordScaleBytes + AdaptiveMatrix::kMaxBlock / 2);
    bytes[0] = wasm_v128_or(low.bytes[0],
                            sixteens(wasm_i8x16_shuffle(high, high, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)));
    bytes[1] = wasm_v128_or(low.bytes[1],
                            sixteens(wasm_i8x16_shuffle(high, high, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)));
  }

  v128_t bytes[2];

 private:
  // 16 where bit i % 8 of byte i is set.
  [[gnu::always_inline]] static v128_t sixteens(v128_t repeated) {
    const NibbleConstants& constants = loaded(kNibbleConstants);
    const v128_t bits = wasm_v128_load(constants.bits);
    return wasm_v128_and(wasm_i8x16_eq(wasm_v128_and(repeated, bits), bits), constants.sixteen);
  }
};

// INT8 in whole blocks: q.
struct Int8Record {
  [[gnu::always_inline]] explicit Int8Record(const std::byte* record)
      : bytes{wasm_v128_load(record + kRecordScaleBytes), wasm_v128_load(record + kRecordScaleBytes + 16)} {}

  v128_t bytes[2];
};

// Blocks of any size and code: q.
struct AnyRecord {
  AnyRecord(BlockCode code, const std::byte* record, size_t block) {
    alignas(16) int8_t values[AdaptiveMatrix::kMaxBlock] = {};
    for (size_t i = 0; i < block; ++i) values[i] = static_cast<int8_t>(adaptive_value(code, record, block, i));
    bytes[0] = wasm_v128_load(values);
    bytes[1] = wasm_v128_load(values + 16);
  }

  v128_t bytes[2];
};

// The activations of kRows rows, and the sums.
template <class Variant, size_t kRows>
struct AdaptiveRows {
  using Row = BlockRow<const typename Variant::Block, Variant::kBand>;

  AdaptiveRows(const GemmAdaptiveOperands& in, size_t row) {
    for (size_t r = 0; r < kRows; ++r) {
      x[r] = in.x.row(row + r);
      q[r] = Row(in.q, row + r, in.w.blocks());
    }
  }

  const float* x[kRows];
  Row q[kRows];
  v128_t totals[kRows];
};

// Adds the blocks of one code. `load(record)` returns their weights, which compute their product with a block of
// activations.
template <class Variant, size_t kRows, class Load>
[[gnu::always_inline]] inline void add_blocks(const AdaptiveMatrix::Run& run, size_t record_bytes, Load load,
                                              AdaptiveRows<Variant, kRows>& rows) {
  const std::byte* record = run.records;
  for (size_t i = 0; i < run.count; ++i, record += record_bytes) {
    const size_t b = run.positions[i];
    const auto weights = load(record);
    const float scale = record_scale(record);
    for (size_t r = 0; r < kRows; ++r) {
      const typename Variant::Block& block = rows.q[r][b];
      const v128_t dot = wasm_f32x4_convert_i32x4(weights.dot(block));
      rows.totals[r] = Variant::Arithmetic::madd(dot, wasm_f32x4_splat(scale * block.scale), rows.totals[r]);
    }
  }
}

// Adds whole blocks of finite FP16.
template <class Variant, size_t kRows>
[[gnu::always_inline]] inline void add_halves(const AdaptiveMatrix::Run& run, AdaptiveRows<Variant, kRows>& rows) {
  using Arithmetic = typename Variant::Arithmetic;
  constexpr size_t kBlock = AdaptiveMatrix::kMaxBlock;
  const HalfConstants& constants = loaded(kHalfConstants);
  const std::byte* record = run.records;
  for (size_t i = 0; i < run.count; ++i, record += kBlock * sizeof(uint16_t)) {
    const size_t column = run.positions[i] * kBlock;
    v128_t sums[kRows][2];
    for (auto& row_sums : sums) row_sums[0] = row_sums[1] = wasm_f32x4_splat(0);
    for (size_t j = 0; j < kBlock; j += 8) {
      v128_t low, high;
      widen_finite_halves(wasm_v128_load(record + j * sizeof(uint16_t)), low, high, constants);
      for (size_t r = 0; r < kRows; ++r) {
        const float* const x = rows.x[r] + column + j;
        sums[r][0] = Arithmetic::madd(wasm_v128_load(x), low, sums[r][0]);
        sums[r][1] = Arithmetic::madd(wasm_v128_load(x + 4), high, sums[r][1]);
      }
    }
    for (size_t r = 0; r < kRows; ++r) {
      rows.totals[r] = wasm_f32x4_add(rows.totals[r], wasm_f32x4_add(sums[r][0], sums[r][1]));
    }
  }
}

// Adds blocks of FP16 of any size and value.
template <class Variant, size_t kRows>
[[gnu::noinline]] void add_any_halves(const AdaptiveMatrix::Run& run, size_t record_bytes, size_t block,
                                      AdaptiveRows<Variant, kRows>& rows) {
  for (size_t i = 0; i < run.count; ++i) {
    const auto* const halves = reinterpret_cast<const uint16_t*>(run.records + i * record_bytes);
    for (size_t r = 0; r < kRows; ++r) {
      const float* const x = rows.x[r] + run.positions[i] * block;
      float sum = 0;
      for (size_t j = 0; j < block; ++j) sum += x[j] * f16_to_f32(halves[j]);
      rows.totals[r] = wasm_f32x4_add(rows.totals[r], wasm_f32x4_make(sum, 0, 0, 0));
    }
  }
}

// `Variant::Unsigned<Record>` and `Variant::Signed` are weights in the form in which the variant multiplies them.
template <class Variant, size_t kRows>
[[gnu::always_inline]] inline void add_whole_blocks(const AdaptiveMatrix& w, const AdaptiveMatrix::Row& row,
                                                    AdaptiveRows<Variant, kRows>& rows) {
  add_blocks(
      row[0], w.record_bytes(BlockCode::int4),
      [](const std::byte* p) { return typename Variant::template Unsigned<Int4Record>(Int4Record(p)); }, rows);
  add_blocks(
      row[1], w.record_bytes(BlockCode::int5),
      [](const std::byte* p) { return typename Variant::template Unsigned<Int5Record>(Int5Record(p)); }, rows);
  add_blocks(
      row[2], w.record_bytes(BlockCode::int8),
      [](const std::byte* p) { return typename Variant::Signed(Int8Record(p).bytes); }, rows);
  if (w.is_finite()) return add_halves(row[3], rows);
  add_any_halves(row[3], w.record_bytes(BlockCode::fp16), w.block(), rows);
}

template <class Variant, size_t kRows>
[[gnu::noinline]] void add_any_blocks(const AdaptiveMatrix& w, const AdaptiveMatrix::Row& row,
                                      AdaptiveRows<Variant, kRows>& rows) {
  for (const BlockCode code : {BlockCode::int4, BlockCode::int5, BlockCode::int8}) {
    add_blocks(
        row[static_cast<size_t>(code)], w.record_bytes(code),
        [&](const std::byte* p) { return typename Variant::Signed(AnyRecord(code, p, w.block()).bytes); }, rows);
  }
  add_any_halves(row[3], w.record_bytes(BlockCode::fp16), w.block(), rows);
}

// Multiplies kRows rows from `row` on with the weights' rows [n_begin, n_end).
template <class Variant, size_t kRows, bool kWholeBlocks>
[[gnu::noinline]] void tile_adaptive(const GemmAdaptiveOperands& in, const Epilogue& epilogue, size_t row,
                                     size_t n_begin, size_t n_end) {
  AdaptiveRows<Variant, kRows> rows(in, row);
  for (size_t n = n_begin; n < n_end; n += kPanelRows) {
    const size_t columns = std::min(kPanelRows, n_end - n);
    alignas(16) float sums[kRows][kPanelRows] = {};
    for (size_t i = 0; i < columns; ++i) {
      for (v128_t& total : rows.totals) total = wasm_f32x4_splat(0);
      if constexpr (kWholeBlocks) {
        add_whole_blocks<Variant>(in.w, in.w.row(n + i), rows);
      } else {
        add_any_blocks<Variant>(in.w, in.w.row(n + i), rows);
      }
      for (size_t r = 0; r < kRows; ++r) sums[r][i] = horizontal_sum(rows.totals[r]);
    }
    v128_t values[kRows][2];
    for (size_t r = 0; r < kRows; ++r) {
      values[r][0] = wasm_v128_load(sums[r]);
      values[r][1] = wasm_v128_load(sums[r] + 4);
    }
    finish<typename Variant::Arithmetic>(values, epilogue, {in.c, row, n, columns});
  }
}

// Blocks of other sizes than the usual one go row by row.
template <class Variant>
inline void rows_adaptive(const GemmAdaptiveOperands& in, const Epilogue& epilogue, size_t row, size_t m,
                          size_t n_begin, size_t n_end) {
  if (in.w.block() == AdaptiveMatrix::kMaxBlock) {
    for (; row + 4 <= m; row += 4) tile_adaptive<Variant, 4, true>(in, epilogue, row, n_begin, n_end);
    for (; row < m; ++row) tile_adaptive<Variant, 1, true>(in, epilogue, row, n_begin, n_end);
  } else {
    for (; row < m; ++row) tile_adaptive<Variant, 1, false>(in, epilogue, row, n_begin, n_end);
  }
}

// Multiplies by some rows of the weights at a time, which stay in the cache for all rows of activations.
template <class Variant>
inline void gemm_adaptive(const GemmAdaptiveOperands& in, const Epilogue& epilogue, const GemmTile& part) {
  constexpr size_t kRowsAtOnce = 32;
  const size_t n_end = std::min(part.panel_end * kPanelRows, in.w.rows());
  for (size_t n = part.panel_begin * kPanelRows; n < n_end; n += kRowsAtOnce) {
    rows_adaptive<Variant>(in, epilogue, part.row_begin, part.row_end, n, std::min(n + kRowsAtOnce, n_end));
  }
}

}  // namespace quintet::generic
