#pragma once
// The float GEMM. Every sum runs over k in ascending order in one accumulator, in any tile, so the result of a row does
// not depend on its neighbors.

#include <algorithm>
#include <type_traits>

#include "kernels/gemm_f32.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/half.h"
#include "kernels/generic/tiles.h"

namespace quintet::generic {

// `load` reads eight weights, times 1 / (kInputScale * kSumScale): the inputs and the sums are multiplied by these,
// which must be powers of two.

struct UnscaledPanel {
  static constexpr float kInputScale = 1;
  static constexpr float kSumScale = 1;
};

struct PanelF32 : UnscaledPanel {
  using Element = float;

  void load(const float* p, v128_t& low, v128_t& high) const {
    low = wasm_v128_load(p);
    high = wasm_v128_load(p + 4);
  }
};

struct PanelBf16 : UnscaledPanel {
  using Element = uint16_t;

  void load(const uint16_t* p, v128_t& low, v128_t& high) const {
    const v128_t eight = wasm_v128_load(p);
    const v128_t zero = wasm_i16x8_splat(0);
    low = wasm_i16x8_shuffle(zero, eight, 0, 8, 1, 9, 2, 10, 3, 11);
    high = wasm_i16x8_shuffle(zero, eight, 4, 12, 5, 13, 6, 14, 7, 15);
  }
};

struct PanelAnyF16 : UnscaledPanel {
  using Element = uint16_t;

  void load(const uint16_t* p, v128_t& low, v128_t& high) const {
    widen_halves(wasm_v128_load(p), low, high, constants_);
  }

 private:
  const HalfConstants& constants_ = loaded(kHalfConstants);
};

// A factor for the few inputs and sums saves one for each weight. Inputs up to 2^87 do not overflow, and products lose
// nothing down to 2^-54.
struct PanelFiniteF16 {
  using Element = uint16_t;
  static constexpr float kInputScale = 0x1p40F;
  static constexpr float kSumScale = 0x1p72F;

  void load(const uint16_t* p, v128_t& low, v128_t& high) const {
    move_finite_halves(wasm_v128_load(p), low, high, constants_);
  }

 private:
  const HalfConstants& constants_ = loaded(kHalfConstants);
};

// `*value` in all lanes.
template <class Panel>
[[gnu::always_inline]] inline v128_t load_input(const float* value) {
  const v128_t x = wasm_v128_load32_splat(value);
  return Panel::kInputScale == 1 ? x : wasm_f32x4_mul(x, wasm_f32x4_splat(Panel::kInputScale));
}

template <class Panel>
struct OperandsF32 {
  ConstRows a;
  const typename Panel::Element* weights;
  size_t depth;  // k
  size_t cols;   // n
  Rows c;
};

template <class Arithmetic, class Panel, size_t kRows, size_t kPanels>
[[gnu::always_inline]] inline void multiply_add(const Panel& weights, const float* const (&a)[kRows],
                                                const typename Panel::Element* const (&w)[kPanels], size_t k,
                                                v128_t (&sums)[kPanels][kRows][2]) {
  if constexpr (kRows == 1) {
    // Panel by panel: the widened weights of all panels and the sums would not fit the registers.
    const v128_t x = load_input<Panel>(a[0] + k);
    for (size_t p = 0; p < kPanels; ++p) {
      v128_t low, high;
      weights.load(w[p] + k * kPanelRows, low, high);
      sums[p][0][0] = Arithmetic::madd(x, low, sums[p][0][0]);
      sums[p][0][1] = Arithmetic::madd(x, high, sums[p][0][1]);
    }
  } else {
    v128_t lows[kPanels], highs[kPanels];
    for (size_t p = 0; p < kPanels; ++p) weights.load(w[p] + k * kPanelRows, lows[p], highs[p]);
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t x = load_input<Panel>(a[r] + k);
      for (size_t p = 0; p < kPanels; ++p) {
        sums[p][r][0] = Arithmetic::madd(x, lows[p], sums[p][r][0]);
        sums[p][r][1] = Arithmetic::madd(x, highs[p], sums[p][r][1]);
      }
    }
  }
}

template <class Arithmetic, class Panel, size_t kRows, size_t kPanels>
void tile_f32(const OperandsF32<Panel>& in, size_t row, size_t panel, size_t count, const Epilogue& epilogue) {
  const size_t panel_end = panel + count;
  for (; panel < panel_end; panel += kPanels) {
    const float* a[kRows];
    for (size_t r = 0; r < kRows; ++r) a[r] = in.a.row(row + r);
    const typename Panel::Element* w[kPanels];
    // Beyond the last panel it is computed again and not stored.
    for (size_t p = 0; p < kPanels; ++p) {
      w[p] = in.weights + std::min(panel + p, panel_end - 1) * in.depth * kPanelRows;
    }
    v128_t sums[kPanels][kRows][2];
    for (auto& panel_sums : sums) {
      for (auto& row_sums : panel_sums) row_sums[0] = row_sums[1] = wasm_f32x4_splat(0);
    }

    const Panel weights;
    constexpr size_t kUnrolled = Arithmetic::kUnrolled;
    size_t k = 0;
    for (; k + kUnrolled <= in.depth; k += kUnrolled) {
      for (size_t i = 0; i < kUnrolled; ++i) multiply_add<Arithmetic>(weights, a, w, i, sums);
      for (const float*& pointer : a) pointer += kUnrolled;
      for (auto*& pointer : w) pointer += kUnrolled * kPanelRows;
    }
    for (size_t i = 0; k < in.depth; ++k, ++i) multiply_add<Arithmetic>(weights, a, w, i, sums);

    if constexpr (Panel::kSumScale != 1) {
      const v128_t scale = wasm_f32x4_splat(Panel::kSumScale);
      for (auto& panel_sums : sums) {
        for (auto& row_sums : panel_sums) {
          for (v128_t& sum : row_sums) sum = wasm_f32x4_mul(sum, scale);
        }
      }
    }
    for (size_t p = 0; p < kPanels && panel + p < panel_end; ++p) {
      const size_t column = (panel + p) * kPanelRows;
      finish<Arithmetic>(sums[p], epilogue, {in.c, row, column, std::min(kPanelRows, in.cols - column)});
    }
  }
}

// 16-bit weights need registers for widening, so tiles of more than four rows would help them little.
template <class Arithmetic, class Panel>
constexpr size_t kMaxRowsF32 =
    std::is_same_v<Panel, PanelF32> ? Arithmetic::kPanels.size() : std::min<size_t>(Arithmetic::kPanels.size(), 4);

template <class Arithmetic, class Panel>
constexpr auto kTilesF32 = float_tiles<Arithmetic, Tile<OperandsF32<Panel>, Epilogue>, kMaxRowsF32<Arithmetic, Panel>>(
    []<size_t kRows, size_t kPanels> { return tile_f32<Arithmetic, Panel, kRows, kPanels>; });

// Weights that are not finite are rare: one small tile is enough.
template <class Arithmetic>
constexpr auto kTilesF32<Arithmetic, PanelAnyF16> =
    Tiles<OperandsF32<PanelAnyF16>, 1>{tile_f32<Arithmetic, PanelAnyF16, 1, 1>};

template <class Arithmetic, class Panel>
inline void multiply_f32(const OperandsF32<Panel>& in, const Epilogue& epilogue, const GemmTile& part) {
  cover(part, in.depth * kPanelRows * sizeof(typename Panel::Element), kTilesF32<Arithmetic, Panel>, in, epilogue);
}

template <class Arithmetic>
inline void gemm_f32(const GemmF32Operands& in, const Epilogue& epilogue, const GemmTile& part) {
  const PackedMatrix& w = in.w;
  const auto run = [&]<class Panel>(const typename Panel::Element* weights) {
    multiply_f32<Arithmetic, Panel>({in.a, weights, w.cols(), w.rows(), in.c}, epilogue, part);
  };
  switch (w.storage()) {
    case Storage::f32:
      return run.template operator()<PanelF32>(w.panel_f32(0));
    case Storage::bf16:
      return run.template operator()<PanelBf16>(w.panel_half(0));
    case Storage::f16:
      if (!w.is_finite()) return run.template operator()<PanelAnyF16>(w.panel_half(0));
      return run.template operator()<PanelFiniteF16>(w.panel_half(0));
    case Storage::i8:
      return;  // belongs to gemm_i8
  }
}

template <class Arithmetic>
inline void gemm_panels_f32(const GemmPanelsF32Operands& in, const Epilogue& epilogue) {
  const GemmTile whole = {0, in.m, 0, (in.n + kPanelRows - 1) / kPanelRows};
  multiply_f32<Arithmetic, PanelF32>({in.a, in.panels, in.k, in.n, in.c}, epilogue, whole);
}

}  // namespace quintet::generic
