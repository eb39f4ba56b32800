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

// Two vectors per row; never fused, so that integer GEMMs agree bit for bit.
inline v128_t affine(v128_t sum, v128_t alpha, v128_t bias) {
  return wasm_f32x4_add(wasm_f32x4_mul(sum, alpha), bias);
}

// Any epilogue on any part of a panel, from sums in memory ([rows][kPanelRows]).
template <class Arithmetic>
[[gnu::noinline]] void finish_in_memory(float* sums, size_t rows, const Epilogue& epilogue, const Destination& to) {
  const v128_t alpha = wasm_f32x4_splat(epilogue.alpha);
  for (size_t lane = 0; lane < to.columns; lane += 4) {
    const size_t count = to.columns - lane < 4 ? to.columns - lane : 4;
    const auto load = [count](const float* p) { return count == 4 ? wasm_v128_load(p) : load_some(p, count, 0); };
    const size_t column = to.column + lane;
    const v128_t bias = epilogue.bias == nullptr ? wasm_f32x4_splat(0) : load(epilogue.bias + column);
    for (size_t r = 0; r < rows; ++r) {
      v128_t x = affine(wasm_v128_load(sums + r * kPanelRows + lane), alpha, bias);
      if (epilogue.activation == Activation::gelu_erf) x = gelu_erf<Arithmetic>(x);
      if (epilogue.residual != nullptr) {
        x = wasm_f32x4_add(x, load(epilogue.residual + (to.row + r) * epilogue.residual_stride + column));
      }
      float* c = to.c + (to.row + r) * to.stride + column;
      if (count == 4) {
        wasm_v128_store(c, x);
      } else {
        store_some(c, count, x);
      }
    }
  }
}

// Sums still in registers: the plain cases are finished there.
template <class Arithmetic, size_t kRows>
[[gnu::always_inline]] inline void finish(const v128_t (&sums)[kRows][2], const Epilogue& epilogue,
                                          const Destination& to) {
  if (epilogue.activation != Activation::none || to.columns != kPanelRows) {
    alignas(16) float memory[kRows * kPanelRows];
    for (size_t r = 0; r < kRows; ++r) {
      wasm_v128_store(memory + r * kPanelRows, sums[r][0]);
      wasm_v128_store(memory + r * kPanelRows + 4, sums[r][1]);
    }
    finish_in_memory<Arithmetic>(memory, kRows, epilogue, to);
    return;
  }
  const v128_t alpha = wasm_f32x4_splat(epilogue.alpha);
  v128_t bias[2] = {wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
  if (epilogue.bias != nullptr) {
    bias[0] = wasm_v128_load(epilogue.bias + to.column);
    bias[1] = wasm_v128_load(epilogue.bias + to.column + 4);
  }
  for (size_t r = 0; r < kRows; ++r) {
    v128_t low = affine(sums[r][0], alpha, bias[0]);
    v128_t high = affine(sums[r][1], alpha, bias[1]);
    if (epilogue.residual != nullptr) {
      const float* residual = epilogue.residual + (to.row + r) * epilogue.residual_stride + to.column;
      low = wasm_f32x4_add(low, wasm_v128_load(residual));
      high = wasm_f32x4_add(high, wasm_v128_load(residual + 4));
    }
    float* c = to.c + (to.row + r) * to.stride + to.column;
    wasm_v128_store(c, low);
    wasm_v128_store(c + 4, high);
  }
}

}  // namespace quintet::generic
