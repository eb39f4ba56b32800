#pragma once
// A gated DeltaNet (Yang et al. 2024, arXiv:2412.06464, section 3), between its causal convolution and its gated norm:
// each head of values has a matrix S [key_dim][value_dim] that maps keys to values. It forgets a part of it, and then
// corrects what it has for the key.
//
//   d_t = beta_t (v_t - (a_t S_t-1)^T k_t)
//   S_t = a_t S_t-1 + k_t d_t^T
//   o_t = S_t^T q_t
//
// Queries and keys have length 1, and queries are divided by the root of key_dim. a_t = exp(A softplus(dt_t + bias)).

#include <cstddef>

#include "architectures/decoder/config.h"
#include "kernels/rows.h"

namespace quintet::decoder {

struct DeltaNetSizes {
  explicit DeltaNetSizes(const DecoderConfig& config)
      : key_heads(static_cast<size_t>(config.delta_key_heads)),
        value_heads(static_cast<size_t>(config.delta_value_heads)),
        key_dim(static_cast<size_t>(config.delta_key_dim)),
        value_dim(static_cast<size_t>(config.delta_value_dim)),
        kernel(static_cast<size_t>(config.delta_kernel)),
        is_tiled(config.has_tiled_delta_heads) {}

  size_t keys() const { return key_heads * key_dim; }
  size_t values() const { return value_heads * value_dim; }
  size_t channels() const { return 2 * keys() + values(); }              // of the convolution: q, k and v
  size_t in() const { return channels() + values() + 2 * value_heads; }  // these, the gate, beta and the time step
  size_t head_state() const { return key_dim * value_dim; }
  size_t key_head_of(size_t head) const { return is_tiled ? head % key_heads : head / (value_heads / key_heads); }

  size_t key_heads, value_heads, key_dim, value_dim, kernel;
  bool is_tiled;
};

// The steps of the heads of values for some rows, [rows][value_heads], computed from b and dt.
struct DeltaSteps {
  Rows strengths;  // beta, the sigmoid of b
  Rows decays;     // a
};

// The parameters of a layer, one for each head of values.
struct DeltaHeads {
  const float* rates;  // A
  const float* time_biases;
};

// Brings queries and keys in rows [begin, end) of q, k and v to their lengths, and makes the steps of b and dt.
void prepare_delta_rows(const DeltaNetSizes& sizes, const DeltaHeads& heads, Rows channels, const DeltaSteps& steps,
                        size_t begin, size_t end);

// Rows [0, count) of a head of values, at least one: o replaces v. `before` is the head's state before the first row,
// and `state`, which may be the same memory, becomes that after the last.
void scan_delta_head(const DeltaNetSizes& sizes, size_t head, Rows channels, const DeltaSteps& steps, size_t count,
                     const float* before, float* state);

}  // namespace quintet::decoder
