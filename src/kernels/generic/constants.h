#pragma once
// Vector constants that are loaded. Written as immediates, an engine may build each anew for every
// use, in three instructions (V8 does, even within a loop); a load is one.

#include "kernels/wasm_simd.h"

namespace quintet::generic {

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

// The same constants, of which the compiler no longer knows the values.
template <class Constants>
inline const Constants& loaded(const Constants& constants) {
  const Constants* address = &constants;
  asm("" : "+r"(address));
  return *address;
}

}  // namespace quintet::generic
