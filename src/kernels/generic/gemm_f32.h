#pragma once
// The float GEMM. Every sum runs over k in ascending order in one accumulator, whatever the tile: that makes a
// row's result independent of the rows beside it.

#include <type_traits>

#include "kernels/generic/epilogue.h"
#include "kernels/generic/tiles.h"

namespace quintet::generic {

struct PanelF32 {
  using Element = float;
  static void load(const float* p, v128_t& low, v128_t& high) {
    low = wasm_v128_load(p);
    high = wasm_v128_load(p + 4);
  }
};

struct PanelBf16 {
  using Element = uint16_t;
  static void load(const uint16_t* p, v128_t& low, v128_t& high) {
    const v128_t eight = wasm_v128_load(p);
    low = wasm_i32x4_shl(wasm_u32x4_extend_low_u16x8(eight), 16);
    high = wasm_i32x4_shl(wasm_u32x4_extend_high_u16x8(eight), 16);
  }
};

struct PanelF16 {
  using Element = uint16_t;
  static void load(const uint16_t* p, v128_t& low, v128_t& high) {
    const v128_t eight = wasm_v128_load(p);
    low = widen(wasm_i32x4_extend_low_i16x8(eight));
    high = widen(wasm_i32x4_extend_high_i16x8(eight));
  }

 private:
  // The bits of the half, moved into place, are the value times 2^-112; the product is exact for subnormals as
  // well. Infinity and NaN must get the greatest exponent.
  static v128_t widen(v128_t half) {
    const v128_t moved = wasm_v128_and(wasm_i32x4_shl(half, 13), wasm_i32x4_splat(static_cast<int>(0x8fffe000)));
    const v128_t exponent = wasm_v128_and(moved, wasm_i32x4_splat(0x0f800000));
    const v128_t special = wasm_i32x4_eq(exponent, wasm_i32x4_splat(0x0f800000));
    const v128_t value = wasm_f32x4_mul(moved, wasm_f32x4_splat(0x1p112f));
    return wasm_v128_or(value, wasm_v128_and(special, wasm_i32x4_splat(0x7f800000)));
  }
};

struct OperandsF32 {
  const float* a;
  size_t a_stride;
  size_t depth;  // k
  size_t cols;   // n
  float* c;
  size_t c_stride;
};

template <class Arithmetic, class Panel, size_t kRows, size_t kPanels>
[[gnu::always_inline]] inline void multiply_add(const float* const (&a)[kRows],
                                                const typename Panel::Element* const (&w)[kPanels], size_t k,
                                                v128_t (&sums)[kPanels][kRows][2]) {
  v128_t low[kPanels], high[kPanels];
  for (size_t p = 0; p < kPanels; ++p) Panel::load(w[p] + k * kPanelRows, low[p], high[p]);
  for (size_t r = 0; r < kRows; ++r) {
    const v128_t x = wasm_v128_load32_splat(a[r] + k);
    for (size_t p = 0; p < kPanels; ++p) {
      sums[p][r][0] = Arithmetic::madd(x, low[p], sums[p][r][0]);
      sums[p][r][1] = Arithmetic::madd(x, high[p], sums[p][r][1]);
    }
  }
}

// kRows rows from `row` times `count` panels, the first of which is `panel`; `weights` points to that one.
template <class Arithmetic, class Panel, size_t kRows, size_t kPanels>
[[gnu::noinline]] void tile_f32(const OperandsF32& in, const typename Panel::Element* weights, size_t row,
                                size_t panel, size_t count, const Epilogue& epilogue) {
  for (size_t first = 0; first < count; first += kPanels) {
    const float* a[kRows];
    for (size_t r = 0; r < kRows; ++r) a[r] = in.a + (row + r) * in.a_stride;
    const typename Panel::Element* w[kPanels];
    // Beyond the last panel it is computed again and not stored.
    for (size_t p = 0; p < kPanels; ++p) w[p] = weights + std::min(first + p, count - 1) * in.depth * kPanelRows;
    v128_t sums[kPanels][kRows][2];
    for (auto& panel_sums : sums) {
      for (auto& row_sums : panel_sums) row_sums[0] = row_sums[1] = wasm_f32x4_splat(0);
    }

    size_t k = 0;
    for (; k + 4 <= in.depth; k += 4) {
      multiply_add<Arithmetic, Panel>(a, w, k, sums);
      multiply_add<Arithmetic, Panel>(a, w, k + 1, sums);
      multiply_add<Arithmetic, Panel>(a, w, k + 2, sums);
      multiply_add<Arithmetic, Panel>(a, w, k + 3, sums);
    }
    for (; k < in.depth; ++k) multiply_add<Arithmetic, Panel>(a, w, k, sums);

    for (size_t p = 0; p < kPanels && first + p < count; ++p) {
      const size_t column = (panel + first + p) * kPanelRows;
      finish<Arithmetic>(sums[p], epilogue,
                         {in.c, in.c_stride, row, column, std::min(kPanelRows, in.cols - column)});
    }
  }
}

template <class Arithmetic, class Panel, size_t kMostRows>
inline void gemm_f32(const OperandsF32& in, const typename Panel::Element* weights, const Epilogue& epilogue,
                     const GemmTile& part) {
  const size_t panel_elements = in.depth * kPanelRows;
  cover<kMostRows>(part, panel_elements * sizeof(typename Panel::Element),
                   [&]<size_t kRows, size_t kPanels>(size_t row, size_t panel, size_t count) {
                     tile_f32<Arithmetic, Panel, kRows, kPanels>(in, weights + panel * panel_elements, row, panel,
                                                                 count, epilogue);
                   });
}

template <class Arithmetic, size_t kMostRows>
inline void gemm_f32(const float* a, size_t a_stride, const PackedMatrix& w, float* c, size_t c_stride,
                     const Epilogue& epilogue, const GemmTile& part) {
  const OperandsF32 in = {a, a_stride, w.cols(), w.rows(), c, c_stride};
  switch (w.storage()) {
    case Storage::f32: return gemm_f32<Arithmetic, PanelF32, kMostRows>(in, w.panel_f32(0), epilogue, part);
    case Storage::bf16: return gemm_f32<Arithmetic, PanelBf16, kMostRows>(in, w.panel_half(0), epilogue, part);
    case Storage::f16: return gemm_f32<Arithmetic, PanelF16, kMostRows>(in, w.panel_half(0), epilogue, part);
    case Storage::i8: return;  // belongs to gemm_i8
  }
}

}  // namespace quintet::generic
