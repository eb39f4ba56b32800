// The inner loops of the search index, a module of their own without heap or imports: npm/src/search_kernels.ts
// says what each computes, and keeps everything at addresses beyond the module's first pages. Rows are padded with zeros
// to whole vectors of 16 bytes.

#include <cstddef>
#include <cstdint>

#include "kernels/wasm_simd.h"

namespace {

float sum_of_lanes(v128_t v) {
  return wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 1) +
         wasm_f32x4_extract_lane(v, 2) + wasm_f32x4_extract_lane(v, 3);
}

int32_t int_sum_of_lanes(v128_t v) {
  return wasm_i32x4_extract_lane(v, 0) + wasm_i32x4_extract_lane(v, 1) +
         wasm_i32x4_extract_lane(v, 2) + wasm_i32x4_extract_lane(v, 3);
}

// Rows that share each load of the query, and keep as many additions in flight.
constexpr size_t kRows = 4;

template <size_t rows>
void score_f32(const float* query, const float* row, size_t dimension, float* scores) {
  v128_t sums[rows] = {};
  for (size_t i = 0; i < dimension; i += 4) {
    const v128_t q = wasm_v128_load(query + i);
    for (size_t r = 0; r < rows; ++r) {
      const v128_t products = wasm_f32x4_mul(q, wasm_v128_load(row + r * dimension + i));
      sums[r] = wasm_f32x4_add(sums[r], products);
    }
  }
  for (size_t r = 0; r < rows; ++r) scores[r] = sum_of_lanes(sums[r]);
}

template <size_t rows>
void score_i8(const int8_t* query, const int8_t* row, size_t dimension, int32_t* scores) {
  v128_t sums[rows] = {};
  for (size_t i = 0; i < dimension; i += 8) {
    const v128_t q = wasm_i16x8_load8x8(query + i);
    for (size_t r = 0; r < rows; ++r) {
      const v128_t products = wasm_i32x4_dot_i16x8(q, wasm_i16x8_load8x8(row + r * dimension + i));
      sums[r] = wasm_i32x4_add(sums[r], products);
    }
  }
  for (size_t r = 0; r < rows; ++r) scores[r] = int_sum_of_lanes(sums[r]);
}

template <size_t rows>
void score_binary(const uint8_t* query, const uint8_t* row, size_t bytes, int32_t* scores) {
  v128_t sums[rows] = {};
  for (size_t i = 0; i < bytes; i += 16) {
    const v128_t q = wasm_v128_load(query + i);
    for (size_t r = 0; r < rows; ++r) {
      const v128_t differing = wasm_i8x16_popcnt(wasm_v128_xor(q, wasm_v128_load(row + r * bytes + i)));
      const v128_t wider = wasm_u16x8_extadd_pairwise_u8x16(differing);
      sums[r] = wasm_i32x4_add(sums[r], wasm_u32x4_extadd_pairwise_u16x8(wider));
    }
  }
  for (size_t r = 0; r < rows; ++r) scores[r] = int_sum_of_lanes(sums[r]);
}

}  // namespace

#define QUINTET_EXPORT(name) extern "C" __attribute__((export_name(#name))) void name

QUINTET_EXPORT(score_rows_f32)(const float* query, const float* rows, size_t count, size_t dimension,
                               float* scores) {
  size_t i = 0;
  for (; i + kRows <= count; i += kRows) score_f32<kRows>(query, rows + i * dimension, dimension, scores + i);
  for (; i < count; ++i) score_f32<1>(query, rows + i * dimension, dimension, scores + i);
}

QUINTET_EXPORT(score_rows_i8)(const int8_t* query, const int8_t* rows, size_t count, size_t dimension,
                              int32_t* scores) {
  size_t i = 0;
  for (; i + kRows <= count; i += kRows) score_i8<kRows>(query, rows + i * dimension, dimension, scores + i);
  for (; i < count; ++i) score_i8<1>(query, rows + i * dimension, dimension, scores + i);
}

QUINTET_EXPORT(score_rows_binary)(const uint8_t* query, const uint8_t* rows, size_t count, size_t bytes,
                                  int32_t* scores) {
  size_t i = 0;
  for (; i + kRows <= count; i += kRows) score_binary<kRows>(query, rows + i * bytes, bytes, scores + i);
  for (; i < count; ++i) score_binary<1>(query, rows + i * bytes, bytes, scores + i);
}
