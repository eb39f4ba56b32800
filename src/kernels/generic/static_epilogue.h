#pragma once
// Converts sums of statically quantized layers to activations, eight channels at a time. Bit-identical to
// scalar/static_epilogue.h.

#include <cstring>

#include "kernels/convolution.h"
#include "kernels/generic/vector.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::generic {

// NaN becomes `low`.
[[gnu::always_inline]] inline v128_t clamped(v128_t x, v128_t low, v128_t high) {
  return wasm_f32x4_pmin(high, wasm_f32x4_pmax(low, x));
}

// The first `count` of eight; the others are zero.
template <class T>
[[gnu::always_inline]] inline void load_eight(const T* p, size_t count, v128_t (&to)[sizeof(T) / 2]) {
  alignas(16) T lanes[kPanelRows] = {};
  if (count != kPanelRows) {
    for (size_t i = 0; i < count; ++i) lanes[i] = p[i];
    p = lanes;
  }
  for (size_t i = 0; i < sizeof(T) / 2; ++i) to[i] = wasm_v128_load(p + i * kPanelRows / (sizeof(T) / 2));
}

[[gnu::always_inline]] inline void store_eight(int16_t* p, size_t count, v128_t values) {
  if (count == kPanelRows) return wasm_v128_store(p, values);
  int16_t lanes[kPanelRows];
  wasm_v128_store(lanes, values);
  for (size_t i = 0; i < count; ++i) p[i] = lanes[i];
}

// The epilogue of a call, prepared for vectors.
class Requantization {
 public:
  explicit Requantization(const StaticEpilogue& epilogue)
      : bias_(epilogue.bias),
        residual_(epilogue.residual),
        multiplier_(epilogue.multiplier),
        low_(static_cast<float>(epilogue.min - epilogue.zero_point)),
        high_(static_cast<float>(255 - epilogue.zero_point)),
        scale_(epilogue.scale),
        residual_scale_(epilogue.residual_scale),
        sum_scale_(epilogue.sum_scale),
        sum_high_(static_cast<float>(255 - epilogue.sum_zero_point)) {}

  // Stores `rows` x `count` channels, at most eight, from `channel` on. `at`: the position of each row's pixel in the
  // map.
  [[gnu::noinline]] void store(const int32_t (*sums)[kPanelRows], const size_t* at, size_t rows, size_t channel,
                               size_t count, int16_t* output) const {
    const RoundingConstants& constants = loaded(kRoundingConstants);
    v128_t bias[2];
    load_eight(bias_ + channel, count, bias);
    for (size_t r = 0; r < rows; ++r) {
      v128_t q[2];
      for (size_t h = 0; h < 2; ++h) {
        const v128_t sum = wasm_i32x4_add(wasm_v128_load(sums[r] + 4 * h), bias[h]);
        const v128_t scaled = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum), multiplier_);
        q[h] = clamped(round_half_away(scaled, constants), low_, high_);
      }
      if (residual_ != nullptr) add_residual(residual_ + at[r] + channel, count, q, constants);
      store_eight(output + at[r] + channel, count, narrowed(q[0], q[1], constants));
    }
  }

 private:
  [[gnu::always_inline]] void add_residual(const int16_t* residual, size_t count, v128_t (&q)[2],
                                           const RoundingConstants& constants) const {
    v128_t other[1];
    load_eight(residual, count, other);
    const v128_t wide[2] = {wasm_i32x4_extend_low_i16x8(other[0]), wasm_i32x4_extend_high_i16x8(other[0])};
    for (size_t h = 0; h < 2; ++h) {
      const v128_t own = wasm_f32x4_mul(scale_, q[h]);
      const v128_t sum = wasm_f32x4_add(own, wasm_f32x4_mul(residual_scale_, wasm_f32x4_convert_i32x4(wide[h])));
      q[h] = clamped(round_half_away(wasm_f32x4_div(sum, sum_scale_), constants), wasm_f32x4_splat(0), sum_high_);
    }
  }

  const int32_t* bias_;
  const int16_t* residual_;
  Splat multiplier_, low_, high_;
  Splat scale_, residual_scale_, sum_scale_, sum_high_;
};

}  // namespace quintet::generic
