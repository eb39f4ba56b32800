#pragma once
// Steps of a layer that compute each row by itself, in place.

#include <cstddef>
#include <span>

#include "kernels/kernels.h"
#include "models/transformer/heads.h"
#include "models/transformer/rope_angles.h"

namespace quintet::transformer {

// Normalizes over as many values as the norm has weights: over each head with the same weights (Qwen3,
// arXiv:2505.09388, section 2), or over the whole row (OLMo 2, arXiv:2501.00656, section 2.1). `beta`: of LayerNorm.
inline void normalize_row(NormRows* kernel, std::span<const float> gamma, const float* beta, double epsilon,
                          std::span<float> row) {
  const size_t width = gamma.size();
  kernel({.x = {row.data(), width},
          .rows = row.size() / width,
          .cols = width,
          .gamma = gamma.data(),
          .beta = beta,
          .epsilon = static_cast<float>(epsilon),
          .y = {row.data(), width}});
}

// Rotates the first `count` heads of a row by the i-th angles.
inline void rotate_row(const Kernels& kernels, const Heads& heads, const RopeAngles& angles, size_t i, size_t count,
                       float* row) {
  kernels.rotate_heads({.x = row,
                        .heads = count,
                        .head_dim = heads.dim,
                        .rope_dim = heads.rope_dim,
                        .cosines = angles.cosines(i),
                        .sines = angles.sines(i)});
}

// gate = activation(gate) * values: of an MLP (Shazeer 2020, arXiv:2002.05202), and of what a layer adds for each
// token.
inline void gate_row(const Kernels& kernels, Activation activation, std::span<float> gate, const float* values) {
  kernels.mlp_activation(
      {.activation = activation, .gate = gate.data(), .up = values, .count = gate.size(), .y = gate.data()});
}

inline void scale_row(std::span<float> row, float factor) {
  for (float& value : row) value *= factor;
}

}  // namespace quintet::transformer
