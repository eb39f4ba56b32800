#include "kernels/score_rows.h"

#include <bit>

#include "kernels/generic/score_rows.h"

namespace quintet::simd128 {
namespace {

struct SumsF32 {
  using Element = float;
  using Score = float;
  using Sum = v128_t;
  static constexpr size_t kStep = 4;

  struct Query {
    v128_t values;
    explicit Query(const float* p) : values(wasm_v128_load(p)) {}
  };
  static v128_t add(v128_t sum, const Query& query, const float* row) {
    return wasm_f32x4_add(sum, wasm_f32x4_mul(query.values, wasm_v128_load(row)));
  }
  static v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
  static v128_t total(v128_t sum) { return sum; }
};

struct SumsI8 {
  using Element = int8_t;
  using Score = int32_t;
  using Sum = v128_t;
  static constexpr size_t kStep = 16;

  struct Query {
    v128_t low, high;
    explicit Query(const int8_t* p) : low(wasm_i16x8_load8x8(p)), high(wasm_i16x8_load8x8(p + 8)) {}
  };
  static v128_t add(v128_t sum, const Query& query, const int8_t* row) {
    const v128_t low = wasm_i32x4_dot_i16x8(query.low, wasm_i16x8_load8x8(row));
    const v128_t high = wasm_i32x4_dot_i16x8(query.high, wasm_i16x8_load8x8(row + 8));
    return wasm_i32x4_add(sum, wasm_i32x4_add(low, high));
  }
  static v128_t add(v128_t a, v128_t b) { return wasm_i32x4_add(a, b); }
  static v128_t total(v128_t sum) { return sum; }
};

}  // namespace

void score_rows_f32(const float* query, const float* rows, size_t count, size_t dimension, float* scores) {
  generic::score_rows<SumsF32>(query, rows, count, dimension, scores);
}

void score_rows_i8(const int8_t* query, const int8_t* rows, size_t count, size_t dimension, int32_t* scores) {
  generic::score_rows<SumsI8>(query, rows, count, dimension, scores);
}

// In 64-bit words, whose bits processors count in one instruction; SIMD128 has that only for bytes.
void score_rows_binary(const uint8_t* query, const uint8_t* rows, size_t count, size_t bytes, int32_t* scores) {
  const auto* q = reinterpret_cast<const uint64_t*>(query);
  const auto* row = reinterpret_cast<const uint64_t*>(rows);
  const size_t words = bytes / sizeof(uint64_t);
  for (size_t i = 0; i < count; ++i, row += words) {
    int32_t differing = 0;
    for (size_t j = 0; j < words; ++j) differing += std::popcount(q[j] ^ row[j]);
    scores[i] = differing;
  }
}

}  // namespace quintet::simd128
