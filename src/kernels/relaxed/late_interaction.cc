// Late interaction with the dot product of bytes, where one instruction has it.

#include "kernels/simd128/late_interaction.h"
#include "kernels/relaxed/relaxed_dot.h"

namespace quintet::relaxed {
namespace {

// An instruction with an unsigned operand reads the bytes of queries as q + 128.
int8_t offset_of(RelaxedDot dot) { return dot == RelaxedDot::fused_unsigned ? INT8_MIN : 0; }

struct QuadDot {
  static constexpr size_t kValues = 4;
  v128_t offset;

  static v128_t load(const int8_t* p) { return wasm_v128_load(p); }
  static v128_t add(v128_t sum, v128_t row, v128_t query) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(row, query, sum);
  }
  v128_t add_offset(v128_t sum, v128_t row) const { return add(sum, row, offset); }
};

}  // namespace

void prepare_queries(const VectorRun& queries, int32_t* prepared) {
  const RelaxedDot dot = relaxed_dot();
  if (dot == RelaxedDot::paired) return simd128::prepare_queries(queries, prepared);
  const v128_t offset = wasm_i8x16_splat(offset_of(dot));
  auto* const out = reinterpret_cast<uint8_t*>(prepared);
  for (size_t i = 0; i < queries.count * queries.bytes; i += sizeof(v128_t)) {
    wasm_v128_store(out + i, wasm_v128_xor(wasm_v128_load(queries.data + i), offset));
  }
}

void largest_products(const PreparedQueries& queries, const VectorRun& rows, const float* scales, void* tile,
                      double* largest) {
  const RelaxedDot dot = relaxed_dot();
  if (dot == RelaxedDot::paired) return simd128::largest_products(queries, rows, scales, tile, largest);
  simd128::multiply_tiles(QuadDot{wasm_i8x16_splat(offset_of(dot))}, queries, rows, scales, tile, largest);
}

}  // namespace quintet::relaxed
