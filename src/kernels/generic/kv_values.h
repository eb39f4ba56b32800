#pragma once
// Reads the rows of a KV cache, eight values at a time. The caller applies the scale: kScaled.

#include <cstring>

#include "kernels/generic/half.h"
#include "kernels/generic/vector.h"
#include "tensor/packed/kv_rows.h"

namespace quintet::generic {

constexpr size_t kKvStep = 8;

// `load` reads kKvStep values from `p` on.

struct KvF32 {
  static constexpr KvType kType = KvType::f32;
  static constexpr bool kScaled = false;

  static constexpr size_t bytes(size_t count) { return count * sizeof(float); }
  void load(const std::byte* p, v128_t& low, v128_t& high) const {
    low = wasm_v128_load(p);
    high = wasm_v128_load(p + 16);
  }
};

// All are finite, which KvCache::write ensures.
struct KvF16 {
  static constexpr KvType kType = KvType::f16;
  static constexpr bool kScaled = false;

  static constexpr size_t bytes(size_t count) { return count * sizeof(uint16_t); }
  void load(const std::byte* p, v128_t& low, v128_t& high) const {
    widen_finite_halves(wasm_v128_load(p), low, high, constants_);
  }

 private:
  const HalfConstants& constants_ = loaded(kHalfConstants);
};

inline void widen_words(v128_t words, v128_t& low, v128_t& high) {
  low = wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(words));
  high = wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(words));
}

struct KvInt8 {
  static constexpr KvType kType = KvType::int8;
  static constexpr bool kScaled = true;

  static constexpr size_t bytes(size_t count) { return count; }
  void load(const std::byte* p, v128_t& low, v128_t& high) const { widen_words(wasm_i16x8_load8x8(p), low, high); }
};

struct KvInt4 {
  static constexpr KvType kType = KvType::int4;
  static constexpr bool kScaled = true;

  static constexpr size_t bytes(size_t count) { return count / 2; }
  void load(const std::byte* p, v128_t& low, v128_t& high) const {
    // First the low half of each byte, then the high half, each moved to the top of 16 bits, which sign-extends it.
    const v128_t pairs = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p));
    const v128_t words =
        wasm_i16x8_shuffle(wasm_i16x8_shl(pairs, 12), wasm_i16x8_shl(pairs, 8), 0, 8, 1, 9, 2, 10, 3, 11);
    widen_words(wasm_i16x8_shr(words, 12), low, high);
  }
};

inline float kv_scale(const KvRowLayout& layout, const std::byte* row, size_t group) {
  uint16_t half;
  std::memcpy(&half, row + layout.scales_offset() + group * sizeof(half), sizeof(half));
  return widen_half(half);
}

// Calls run.operator()<Values>() with the type of the layout.
template <class Run>
inline void with_kv_values(KvType type, Run run) {
  switch (type) {
    case KvType::f32:
      return run.template operator()<KvF32>();
    case KvType::f16:
      return run.template operator()<KvF16>();
    case KvType::int8:
      return run.template operator()<KvInt8>();
    case KvType::int4:
      return run.template operator()<KvInt4>();
  }
}

// The last `count` < kKvStep values of a row, the others zero. Few models have such heads, so there is one function for
// all types.
[[gnu::noinline]] inline void load_last(KvType type, const std::byte* p, size_t count, v128_t& low, v128_t& high) {
  with_kv_values(type, [&]<class Values> {
    alignas(16) std::byte padded[kKvStep * sizeof(float)] = {};
    std::memcpy(padded, p, Values::bytes(count));
    Values().load(padded, low, high);
  });
}

}  // namespace quintet::generic
