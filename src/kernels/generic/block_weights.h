#pragma once
// What the block GEMMs read of a record of BlockMatrix.

#include "kernels/wasm_simd.h"
#include "tensor/packed/block_matrix.h"

namespace quintet::generic {

// `halves` [0] holds u of rows 0 to 3 of the panel, [1] that of rows 4 to 7: a row's four columns together.
template <BlockBits kBits>
struct QuadWeights;

// Nibbles that lie in pairs in bytes.
[[gnu::always_inline]] inline void split_nibbles(v128_t bytes, v128_t& low, v128_t& high) {
  const v128_t nibble = wasm_i8x16_splat(15);
  low = wasm_v128_and(bytes, nibble);
  high = wasm_v128_and(wasm_u16x8_shr(bytes, 4), nibble);
}

template <>
struct QuadWeights<BlockBits::four> {
  static constexpr uint32_t kOffsetBits = 3;  // u = q + (1 << this)

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t, size_t quad) {
    split_nibbles(wasm_v128_load(record + quad * 16), halves[0], halves[1]);
  }

  v128_t halves[2];
};

template <>
struct QuadWeights<BlockBits::five> {
  static constexpr uint32_t kOffsetBits = 4;

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t quads, size_t quad) {
    split_nibbles(wasm_v128_load(record + quad * 16), halves[0], halves[1]);
    // Two quads at a time have fixed places in the lower half of a byte.
    const uint32_t of_four = static_cast<uint32_t>(quad % 4);
    const v128_t bits = wasm_u16x8_shr(wasm_v128_load(record + (quads + quad / 4) * 16), of_four / 2 * 4);
    for (uint32_t half = 0; half < 2; ++half) {
      // What crosses a byte's border does not come to lie at bit 4.
      const v128_t shifted = wasm_i16x8_shl(bits, 4 - of_four % 2 * 2 - half);
      halves[half] = wasm_v128_or(halves[half], wasm_v128_and(shifted, wasm_i8x16_splat(16)));
    }
  }

  v128_t halves[2];
};

template <>
struct QuadWeights<BlockBits::eight> {
  static constexpr uint32_t kOffsetBits = 7;

  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t, size_t quad)
      : halves{wasm_v128_load(record + quad * 32), wasm_v128_load(record + quad * 32 + 16)} {}

  v128_t halves[2];
};

// Four finite halves as floats: their bits fit a float whose exponent is then too small by 112.
inline v128_t load_halves(const std::byte* p) {
  const v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4(p), 13);
  const v128_t small = wasm_v128_and(bits, wasm_i32x4_splat(static_cast<int32_t>(0x8fffffff)));
  return wasm_f32x4_mul(small, wasm_f32x4_splat(0x1p112f));
}

// Where a record keeps its scales and offsets.
struct RecordParts {
  explicit RecordParts(const BlockMatrix& w)
      : bytes(w.record_bytes()),
        scales(w.scales_at()),
        offsets(w.offsets_at()),
        half_scales(w.layout().scale_dtype == Dtype::f16),
        has_offsets(w.layout().has_offsets) {}

  [[gnu::always_inline]] void load_scales(const std::byte* record, v128_t (&out)[2]) const {
    const std::byte* p = record + scales;
    out[0] = half_scales ? load_halves(p) : wasm_v128_load(p);
    out[1] = half_scales ? load_halves(p + 8) : wasm_v128_load(p + 16);
  }

  size_t bytes;
  size_t scales;
  size_t offsets;
  bool half_scales;
  bool has_offsets;
};

}  // namespace quintet::generic
