#include <cmath>

#include "kernels/generic/soft_cap.h"
#include "kernels/generic/vector.h"
#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"
#include "kernels/wasm_simd.h"

namespace quintet::simd128 {
namespace {

float row_sum(const float* x, size_t cols) {
  v128_t even = wasm_f32x4_splat(0);
  v128_t odd = even;
  size_t i = 0;
  for (; i + 8 <= cols; i += 8) {
    even = wasm_f32x4_add(even, wasm_v128_load(x + i));
    odd = wasm_f32x4_add(odd, wasm_v128_load(x + i + 4));
  }
  float sum = generic::horizontal_sum(wasm_f32x4_add(even, odd));
  for (; i < cols; ++i) sum += x[i];
  return sum;
}

// The sum of the squares of x, or of x - mean.
template <bool kCentered>
float sum_of_squares(const float* x, size_t cols, float mean = 0) {
  const v128_t means = wasm_f32x4_splat(mean);
  const auto centered = [means](v128_t values) { return kCentered ? wasm_f32x4_sub(values, means) : values; };
  v128_t even = wasm_f32x4_splat(0);
  v128_t odd = even;
  size_t i = 0;
  for (; i + 8 <= cols; i += 8) {
    const v128_t a = centered(wasm_v128_load(x + i));
    const v128_t b = centered(wasm_v128_load(x + i + 4));
    even = wasm_f32x4_add(even, wasm_f32x4_mul(a, a));
    odd = wasm_f32x4_add(odd, wasm_f32x4_mul(b, b));
  }
  float sum = generic::horizontal_sum(wasm_f32x4_add(even, odd));
  for (; i < cols; ++i) {
    const float value = kCentered ? x[i] - mean : x[i];
    sum += value * value;
  }
  return sum;
}

[[gnu::noinline]] void layer_norm_row(const NormOperands& in, const float* x, float* y) {
  const size_t cols = in.cols;
  const float* const gamma = in.gamma;
  const float* const beta = in.beta;
  const float count = static_cast<float>(cols);
  const float mean = row_sum(x, cols) / count;
  const float factor = 1 / std::sqrt(sum_of_squares<true>(x, cols, mean) / count + in.epsilon);
  const v128_t means = wasm_f32x4_splat(mean);
  const v128_t factors = wasm_f32x4_splat(factor);
  size_t i = 0;
  for (; i + 4 <= cols; i += 4) {
    const v128_t normal = wasm_f32x4_mul(wasm_f32x4_sub(wasm_v128_load(x + i), means), factors);
    wasm_v128_store(y + i, wasm_f32x4_add(wasm_f32x4_mul(normal, wasm_v128_load(gamma + i)), wasm_v128_load(beta + i)));
  }
  for (; i < cols; ++i) y[i] = (x[i] - mean) * factor * gamma[i] + beta[i];
}

[[gnu::noinline]] void rms_norm_row(const NormOperands& in, const float* x, float* y) {
  const size_t cols = in.cols;
  const float* const gamma = in.gamma;
  const float factor = 1 / std::sqrt(sum_of_squares<false>(x, cols) / static_cast<float>(cols) + in.epsilon);
  const v128_t factors = wasm_f32x4_splat(factor);
  size_t i = 0;
  for (; i + 4 <= cols; i += 4) {
    const v128_t normal = wasm_f32x4_mul(wasm_v128_load(x + i), factors);
    wasm_v128_store(y + i, wasm_f32x4_mul(normal, wasm_v128_load(gamma + i)));
  }
  for (; i < cols; ++i) y[i] = x[i] * factor * gamma[i];
}

}  // namespace

void layer_norm_rows(const NormOperands& in) {
  for (size_t r = 0; r < in.rows; ++r) layer_norm_row(in, in.x.row(r), in.y.row(r));
}

void rms_norm_rows(const NormOperands& in) {
  for (size_t r = 0; r < in.rows; ++r) rms_norm_row(in, in.x.row(r), in.y.row(r));
}

void rotate_heads(const RotationOperands& in) {
  const float* const cosines = in.cosines;
  const float* const sines = in.sines;
  const size_t head_dim = in.head_dim;
  const size_t half = in.rope_dim / 2;
  float* x = in.x;
  for (size_t h = 0; h < in.heads; ++h, x += head_dim) {
    size_t i = 0;
    for (; i + 4 <= half; i += 4) {
      const v128_t a = wasm_v128_load(x + i);
      const v128_t b = wasm_v128_load(x + i + half);
      const v128_t cosine = wasm_v128_load(cosines + i);
      const v128_t sine = wasm_v128_load(sines + i);
      wasm_v128_store(x + i, wasm_f32x4_sub(wasm_f32x4_mul(a, cosine), wasm_f32x4_mul(b, sine)));
      wasm_v128_store(x + i + half, wasm_f32x4_add(wasm_f32x4_mul(b, cosine), wasm_f32x4_mul(a, sine)));
    }
    for (; i < half; ++i) {
      const float a = x[i];
      const float b = x[i + half];
      x[i] = a * cosines[i] - b * sines[i];
      x[i + half] = b * cosines[i] + a * sines[i];
    }
  }
}

void soft_cap(float* x, size_t count, float cap) { generic::soft_cap<Arithmetic>(x, count, cap); }

}  // namespace quintet::simd128
