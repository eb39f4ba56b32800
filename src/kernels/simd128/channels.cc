#include "kernels/generic/vector.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

constexpr size_t kVector = 4;

}  // namespace

void sum_channels(const SumChannelsOperands& in) {
  for (size_t c = 0; c < in.cols; c += kVector) {
    const size_t left = in.cols - c;
    const bool is_whole = left >= kVector;
    v128_t sum = is_whole ? wasm_v128_load(in.sums + c) : generic::load_some(in.sums + c, left, 0);
    const float* x = in.x.data + c;
    for (size_t r = 0; r < in.rows; ++r, x += in.x.stride) {
      const v128_t value = is_whole ? wasm_v128_load(x) : generic::load_some(x, left, 0);
      sum = wasm_f32x4_add(sum, in.squares ? wasm_f32x4_mul(value, value) : value);
    }
    is_whole ? wasm_v128_store(in.sums + c, sum) : generic::store_some(in.sums + c, left, sum);
  }
}

void scale_channels(const ScaleChannelsOperands& in) {
  const v128_t zero = wasm_f32x4_splat(0);
  for (size_t r = 0; r < in.rows; ++r) {
    float* const x = in.x.row(r);
    size_t c = 0;
    for (; c + kVector <= in.cols; c += kVector) {
      const v128_t product = wasm_f32x4_mul(wasm_v128_load(x + c), wasm_v128_load(in.factors + c));
      wasm_v128_store(x + c, wasm_f32x4_add(product, in.bias == nullptr ? zero : wasm_v128_load(in.bias + c)));
    }
    for (; c < in.cols; ++c) {
      const float product = x[c] * in.factors[c];
      x[c] = in.bias == nullptr ? product : product + in.bias[c];
    }
  }
}

}  // namespace quintet::simd128
