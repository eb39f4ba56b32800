#pragma once
// Stores the sums of a tile: c = activation(sum * alpha + bias) + residual.

#include "kernels/generic/gelu.h"
#include "kernels/generic/vector.h"
#include "kernels/kernels.h"

namespace quintet::generic {

// Where a tile of one panel lies in the result.
struct Destination {
  float* c;
  size_t stride;
  size_t row;
  size_t column;
  size_t columns;  // of this panel that exist: kPanelRows, or fewer in the last one
};

// Eight values of a row, of which `count` exist.
struct Eight {
  static Eight load(const float* p, size_t count) {
    if (count == kPanelRows) return {wasm_v128_load(p), wasm_v128_load(p + 4)};
    if (count < 4) return {load_some(p, count, 0), wasm_f32x4_splat(0)};
    return {wasm_v128_load(p), load_some(p + 4, count - 4, 0)};
  }
  void store(float* p, size_t count) const {
    if (count < 4) return store_some(p, count, low);
    wasm_v128_store(p, low);
    count < kPanelRows ? store_some(p + 4, count - 4, high) : wasm_v128_store(p + 4, high);
  }
  void add(const Eight& other) {
    low = wasm_f32x4_add(low, other.low);
    high = wasm_f32x4_add(high, other.high);
  }

  v128_t low, high;
};

template <size_t kRows>
[[gnu::always_inline]] inline void store_rows(const v128_t (&values)[kRows][2],
                                              const Epilogue& epilogue, const Destination& to,
                                              size_t columns) {
  for (size_t r = 0; r < kRows; ++r) {
    Eight eight = {values[r][0], values[r][1]};
    if (epilogue.residual != nullptr) {
      const float* residual =
          epilogue.residual + (to.row + r) * epilogue.residual_stride + to.column;
      eight.add(Eight::load(residual, columns));
    }
    eight.store(to.c + (to.row + r) * to.stride + to.column, columns);
  }
}

// The last panel of a result whose width is not a multiple of eight.
[[gnu::noinline]] inline void store_partial_rows(const float* memory, size_t rows, const Epilogue& epilogue,
                                                 Destination to) {
  for (size_t r = 0; r < rows; ++r, ++to.row, memory += kPanelRows) {
    const v128_t values[1][2] = {{wasm_v128_load(memory), wasm_v128_load(memory + 4)}};
    store_rows(values, epilogue, to, to.columns);
  }
}

// Multiplication and addition are not fused here, so that integer GEMMs agree bit for bit.
template <class Arithmetic, size_t kRows>
[[gnu::always_inline]] inline void finish(v128_t (&sums)[kRows][2], const Epilogue& epilogue,
                                          const Destination& to) {
  const v128_t alpha = wasm_f32x4_splat(epilogue.alpha);
  Eight bias = {wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
  if (epilogue.bias != nullptr) bias = Eight::load(epilogue.bias + to.column, to.columns);
  for (size_t r = 0; r < kRows; ++r) {
    sums[r][0] = wasm_f32x4_add(wasm_f32x4_mul(sums[r][0], alpha), bias.low);
    sums[r][1] = wasm_f32x4_add(wasm_f32x4_mul(sums[r][1], alpha), bias.high);
  }
  if (epilogue.activation == Activation::none && to.columns == kPanelRows) {
    return store_rows(sums, epilogue, to, kPanelRows);
  }

  alignas(16) float memory[kRows * kPanelRows];
  for (size_t r = 0; r < kRows; ++r) {
    wasm_v128_store(memory + r * kPanelRows, sums[r][0]);
    wasm_v128_store(memory + r * kPanelRows + 4, sums[r][1]);
  }
  if (epilogue.activation == Activation::gelu_erf) gelu_erf<Arithmetic>(memory, kRows * 2);
  if (to.columns != kPanelRows) return store_partial_rows(memory, kRows, epilogue, to);
  for (size_t r = 0; r < kRows; ++r) {
    sums[r][0] = wasm_v128_load(memory + r * kPanelRows);
    sums[r][1] = wasm_v128_load(memory + r * kPanelRows + 4);
  }
  store_rows(sums, epilogue, to, kPanelRows);
}

}  // namespace quintet::generic
