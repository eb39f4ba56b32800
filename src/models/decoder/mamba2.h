#pragma once
// The mixer of Mamba-2 (Dao and Gu 2024, arXiv:2405.21060, section 7), between its causal convolution and its output
// matrix: the recurrence of a selective state space, head by head, and the gated norm.
//
//   d_t = softplus(dt_t + bias)           the time step
//   S_t = exp(d_t A) S_t-1 + d_t x_t B_t^T     the state, [head_dim][state]
//   y_t = S_t C_t + D x_t
//
// Heads of a group share B and C.

#include <cstddef>
#include <span>

#include "kernels/kernels.h"
#include "kernels/rows.h"

namespace quintet::decoder {

struct Mamba2Sizes {
  size_t heads, groups, inner, state;

  size_t head_dim() const { return inner / heads; }
  size_t channels() const { return inner + 2 * groups * state; }  // of the convolution: x, B and C
  size_t in() const { return inner + channels() + heads; }        // of the input matrix: z, the channels and dt
  size_t head_state() const { return head_dim() * state; }
};

// The parameters of a layer for each head, [heads].
struct Mamba2Heads {
  const float* rates;  // A, at most 0
  const float* time_biases;
  const float* skips;  // D
  float time_scale;    // of dt, before its bias
};

// Computes the rows [0, count) of a head, at least one. `channels` has x, B and C after the convolution: y replaces x.
// `times` has dt of all heads. `before` is the head's state before the first row, and `state`, which may be the same
// memory, becomes that after the last.
void scan_head(const Mamba2Sizes& sizes, const Mamba2Heads& heads, size_t head, Rows channels, ConstRows times,
               size_t count, const float* before, float* state);

// z becomes y * silu(z) and then, if there is a norm [inner], its RMSNorm over the channels of each group.
struct GatedNorm {
  const float* gamma;  // or null
  float epsilon;
  float gate_scale;  // of z
};
void gate_rows(const Mamba2Sizes& sizes, const Kernels& kernels, const GatedNorm& norm, Rows gates, ConstRows y,
               size_t count);

}  // namespace quintet::decoder
