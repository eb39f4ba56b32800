#pragma once
// Helpers for all vector code: constants in memory, ends of rows, sums over lanes, and rounding.

#include <cstddef>

#include "kernels/wasm_simd.h"

namespace quintet::generic {

// Vector constants in memory. For immediates, an engine may build each again at every use, in three instructions (V8
// does, even inside loops); a load is one.

struct alignas(16) Splat {
  constexpr Splat(float value) : lanes{value, value, value, value} {}
  operator v128_t() const { return wasm_v128_load(lanes); }

  float lanes[4];
};

struct alignas(16) SplatBits {
  constexpr SplatBits(uint32_t value) : lanes{value, value, value, value} {}
  operator v128_t() const { return wasm_v128_load(lanes); }

  uint32_t lanes[4];
};

// Returns the constants, with their values hidden from the compiler.
template <class Constants>
inline const Constants& loaded(const Constants& constants) {
  const Constants* address = &constants;
  asm("" : "+r"(address));
  return *address;
}

// The ends of rows, if fewer than four values are left.

// The first `count` < 4 of four floats; the others are `fill`.
inline v128_t load_some(const float* p, size_t count, float fill) {
  alignas(16) float lanes[4] = {fill, fill, fill, fill};
  for (size_t i = 0; i < count; ++i) lanes[i] = p[i];
  return wasm_v128_load(lanes);
}

inline void store_some(float* p, size_t count, v128_t values) {
  alignas(16) float lanes[4];
  wasm_v128_store(lanes, values);
  for (size_t i = 0; i < count; ++i) p[i] = lanes[i];
}

inline float horizontal_sum(v128_t v) {
  const v128_t pairs = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  return wasm_f32x4_extract_lane(pairs, 0) + wasm_f32x4_extract_lane(pairs, 1);
}

// Rounding half away from zero, as the C library's roundf does.

struct RoundingConstants {
  SplatBits sign = 0x80000000;
  // The greatest float below 1/2.
  Splat below_half = 0x1.fffffep-2f;
  // Added to an integer, leaves it in the low bits.
  Splat aligner = 12582912.0f;
  SplatBits aligner_bits = 0x4b400000;
};
inline constexpr RoundingConstants kRoundingConstants;

// Constants in registers, for loops that have enough of them.
struct HeldRoundingConstants {
  explicit HeldRoundingConstants(const RoundingConstants& constants)
      : sign(constants.sign),
        below_half(constants.below_half),
        aligner(constants.aligner),
        aligner_bits(constants.aligner_bits) {}

  v128_t sign, below_half, aligner, aligner_bits;
};

// Rounds half away from zero. With 1/2 itself, the sum would round up if x is the float just below 1/2; with the float
// below, a sum that should reach the next integer is a tie and rounds to it.
template <class Constants>
[[gnu::always_inline]] inline v128_t round_half_away(v128_t x, const Constants& constants) {
  const v128_t half = wasm_v128_or(wasm_v128_and(x, constants.sign), constants.below_half);
  return wasm_f32x4_trunc(wasm_f32x4_add(x, half));
}

// Eight small integers in floats as 16-bit ones.
template <class Constants>
[[gnu::always_inline]] inline v128_t narrowed(v128_t low, v128_t high, const Constants& constants) {
  const v128_t a = wasm_i32x4_sub(wasm_f32x4_add(low, constants.aligner), constants.aligner_bits);
  const v128_t b = wasm_i32x4_sub(wasm_f32x4_add(high, constants.aligner), constants.aligner_bits);
  return wasm_i16x8_narrow_i32x4(a, b);
}

}  // namespace quintet::generic
