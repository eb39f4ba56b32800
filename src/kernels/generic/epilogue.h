#pragma once
// Stores the float sums of a tile: of a GEMM, c = activation(sum * alpha + bias) + residual; of a convolution,
// y = clamp(sum + bias + residual).

#include <algorithm>

#include "kernels/convolution.h"
#include "kernels/gemm.h"
#include "kernels/generic/exp.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::generic {

// The position of a tile of one panel in the result.
struct Destination {
  Rows c;
  size_t row;
  size_t column;
  size_t columns;  // existing columns of this panel: kPanelRows, or fewer in the last one
};

// The eight values of a row in a panel. `count` of them exist in memory.
struct PanelRow {
  static PanelRow load(const float* p, size_t count) {
    if (count == kPanelRows) return {wasm_v128_load(p), wasm_v128_load(p + 4)};
    if (count < 4) return {load_some(p, count, 0), wasm_f32x4_splat(0)};
    return {wasm_v128_load(p), load_some(p + 4, count - 4, 0)};
  }
  void store(float* p, size_t count) const {
    if (count < 4) return store_some(p, count, low);
    wasm_v128_store(p, low);
    count < kPanelRows ? store_some(p + 4, count - 4, high) : wasm_v128_store(p + 4, high);
  }
  void add(const PanelRow& other) {
    low = wasm_f32x4_add(low, other.low);
    high = wasm_f32x4_add(high, other.high);
  }

  v128_t low, high;
};

[[gnu::always_inline]] inline PanelRow scaled(const PanelRow& sums, v128_t alpha, const PanelRow& bias) {
  return {wasm_f32x4_add(wasm_f32x4_mul(sums.low, alpha), bias.low),
          wasm_f32x4_add(wasm_f32x4_mul(sums.high, alpha), bias.high)};
}

// Stores sums [rows][kPanelRows] with any epilogue and panel; one function for the tiles of all GEMMs.
template <class Arithmetic>
[[gnu::noinline]] void finish_any(const float* sums, size_t rows, const Epilogue& epilogue, Destination to) {
  const GeluConstants& constants = loaded(kGeluConstants);
  const v128_t alpha = wasm_f32x4_splat(epilogue.alpha);
  PanelRow bias = {wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
  if (epilogue.bias != nullptr) bias = PanelRow::load(epilogue.bias + to.column, to.columns);
  for (size_t r = 0; r < rows; ++r, ++to.row, sums += kPanelRows) {
    PanelRow row = scaled(PanelRow::load(sums, kPanelRows), alpha, bias);
    if (epilogue.activation == Activation::gelu_erf) {
      // Both vectors share the loads of the constants.
      row = {gelu_erf<Arithmetic>(row.low, constants), gelu_erf<Arithmetic>(row.high, constants)};
    }
    if (epilogue.residual.data != nullptr) {
      row.add(PanelRow::load(epilogue.residual.row(to.row) + to.column, to.columns));
    }
    row.store(to.c.row(to.row) + to.column, to.columns);
  }
}

template <class Arithmetic, size_t kRows>
[[gnu::always_inline]] inline void finish_elsewhere(const v128_t (&sums)[kRows][2], const Epilogue& epilogue,
                                                    const Destination& to) {
  alignas(16) float memory[kRows * kPanelRows];
  for (size_t r = 0; r < kRows; ++r) PanelRow{sums[r][0], sums[r][1]}.store(memory + r * kPanelRows, kPanelRows);
  finish_any<Arithmetic>(memory, kRows, epilogue, to);
}

// Multiplication and addition are not fused here, so that integer GEMMs agree bit for bit. Only the most common cases
// are inlined into tiles, because there are many tiles.
template <class Arithmetic, size_t kRows>
[[gnu::always_inline]] inline void finish(const v128_t (&sums)[kRows][2], const Epilogue& epilogue,
                                          const Destination& to) {
  if (epilogue.activation != Activation::none || to.columns != kPanelRows) {
    return finish_elsewhere<Arithmetic>(sums, epilogue, to);
  }
  const v128_t alpha = wasm_f32x4_splat(epilogue.alpha);
  PanelRow bias = {wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
  if (epilogue.bias != nullptr) bias = PanelRow::load(epilogue.bias + to.column, kPanelRows);
  for (size_t r = 0; r < kRows; ++r) {
    PanelRow row = scaled({sums[r][0], sums[r][1]}, alpha, bias);
    if (epilogue.residual.data != nullptr) {
      row.add(PanelRow::load(epilogue.residual.row(to.row + r) + to.column, kPanelRows));
    }
    row.store(to.c.row(to.row + r) + to.column, kPanelRows);
  }
}

// Finishes sums in memory, [rows][kPanelRows], with no code in the tile: for long sums, compared with which this takes
// negligible time.
template <class Arithmetic>
[[gnu::noinline]] void finish_long(const float* sums, size_t rows, const Epilogue& epilogue, const Destination& to) {
  const bool is_plain = epilogue.activation == Activation::none && epilogue.bias == nullptr &&
                        epilogue.residual.data == nullptr && to.columns == kPanelRows;
  if (!is_plain) return finish_any<Arithmetic>(sums, rows, epilogue, to);
  const v128_t alpha = wasm_f32x4_splat(epilogue.alpha);
  float* c = to.c.row(to.row) + to.column;
  for (size_t r = 0; r < rows; ++r, sums += kPanelRows, c += to.c.stride) {
    wasm_v128_store(c, wasm_f32x4_mul(wasm_v128_load(sums), alpha));
    wasm_v128_store(c + 4, wasm_f32x4_mul(wasm_v128_load(sums + 4), alpha));
  }
}

// Stores the channels of a panel, from `column` on.
class FloatFinish {
 public:
  FloatFinish(const FloatEpilogue& epilogue, float* output, size_t column, size_t channels)
      : min_(wasm_f32x4_splat(epilogue.min)),
        max_(wasm_f32x4_splat(epilogue.max)),
        output_(output + column),
        columns_(std::min(kPanelRows, channels - column)) {
    if (epilogue.bias != nullptr) bias_ = PanelRow::load(epilogue.bias + column, columns_);
    if (epilogue.residual != nullptr) residual_ = epilogue.residual + column;
  }

  bool is_whole() const { return columns_ == kPanelRows; }

  // `offset`: of the output's first channel in the map.
  void store(const PanelRow& sums, size_t offset) const { store(sums, offset, columns_); }
  // Takes less code, for a whole panel.
  void store_whole(const PanelRow& sums, size_t offset) const { store(sums, offset, kPanelRows); }

 private:
  [[gnu::always_inline]] void store(PanelRow y, size_t offset, size_t columns) const {
    y.add(bias_);
    if (residual_ != nullptr) y.add(PanelRow::load(residual_ + offset, columns));
    // Both functions return their first operand if that is NaN, so NaN stays NaN.
    y = {wasm_f32x4_pmin(wasm_f32x4_pmax(y.low, min_), max_), wasm_f32x4_pmin(wasm_f32x4_pmax(y.high, min_), max_)};
    y.store(output_ + offset, columns);
  }

  PanelRow bias_ = {wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
  v128_t min_, max_;
  float* output_;
  const float* residual_ = nullptr;
  size_t columns_;
};

// Any panel; one function for the last ones of all tiles, whose channels are fewer than eight.
[[gnu::noinline]] inline void store_part(const float* sums, const FloatFinish& finish, const size_t* offsets,
                                         size_t count) {
  for (size_t i = 0; i < count; ++i) finish.store(PanelRow::load(sums + i * kPanelRows, kPanelRows), offsets[i]);
}

}  // namespace quintet::generic
