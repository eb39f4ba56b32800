#include "kernels/score_rows.h"

#include "kernels/generic/score_rows.h"

namespace quintet::relaxed {
namespace {

// The fused dot product takes bytes and 7 bits without sign. So the query is split into what is above 0 and what is
// below: two products instead of the widening and two products of 16 bits that SIMD128 has.
struct SumsI8 {
  using Element = int8_t;
  using Score = int32_t;
  static constexpr size_t kStep = 16;

  struct Query {
    v128_t above, below;
    explicit Query(const int8_t* p) {
      const v128_t values = wasm_v128_load(p);
      const v128_t zero = wasm_i8x16_splat(0);
      above = wasm_i8x16_max(values, zero);
      below = wasm_i8x16_max(wasm_i8x16_neg(values), zero);
    }
  };
  struct Sum {
    v128_t above, below;
  };
  static Sum add(const Sum& sum, const Query& query, const int8_t* row) {
    const v128_t values = wasm_v128_load(row);
    return {wasm_i32x4_relaxed_dot_i8x16_i7x16_add(values, query.above, sum.above),
            wasm_i32x4_relaxed_dot_i8x16_i7x16_add(values, query.below, sum.below)};
  }
  static v128_t add(v128_t a, v128_t b) { return wasm_i32x4_add(a, b); }
  static v128_t total(const Sum& sum) { return wasm_i32x4_sub(sum.above, sum.below); }
};

}  // namespace

void score_rows_i8(const int8_t* query, const int8_t* rows, size_t count, size_t dimension, int32_t* scores) {
  generic::score_rows<SumsI8>(query, rows, count, dimension, scores);
}

}  // namespace quintet::relaxed
