#include "models/decoder/mamba2.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace quintet::decoder {
namespace {

// Rounding is below a float's beyond this.
float softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }

// Four floats, which are computed together at any level of optimization.
using Lanes [[gnu::vector_size(16)]] = float;
constexpr size_t kLanes = 4;

Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

// One row of a head's state: s = decay * s_before + x B. Returns s . C.
float update_row(const float* before, float* state, float decay, float x, const float* b, const float* c,
                 size_t count) {
  Lanes sums = {};
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes values = decay * load(before + i) + x * load(b + i);
    std::memcpy(state + i, &values, sizeof(values));
    sums += values * load(c + i);
  }
  float sum = sums[0] + sums[1] + sums[2] + sums[3];
  for (; i < count; ++i) {
    state[i] = decay * before[i] + x * b[i];
    sum += state[i] * c[i];
  }
  return sum;
}

}  // namespace

void scan_head(const Mamba2Sizes& sizes, const Mamba2Heads& heads, size_t head, Rows channels, ConstRows times,
               size_t count, const float* before, float* state) {
  const size_t width = sizes.head_dim();
  const size_t group = head / (sizes.heads / sizes.groups);
  for (size_t row = 0; row < count; ++row) {
    float* x = channels.row(row) + head * width;
    const float* b = channels.row(row) + sizes.inner + group * sizes.state;
    const float* c = b + sizes.groups * sizes.state;
    const float step = softplus(heads.time_scale * times.row(row)[head] + heads.time_biases[head]);
    const float decay = std::exp(step * heads.rates[head]);
    for (size_t i = 0; i < width; ++i) {
      const size_t at = i * sizes.state;
      x[i] = update_row((row == 0 ? before : state) + at, state + at, decay, step * x[i], b, c, sizes.state) +
             heads.skips[head] * x[i];
    }
  }
}

void gate_rows(const Mamba2Sizes& sizes, const Kernels& kernels, const GatedNorm& norm, Rows gates, ConstRows y,
               size_t count) {
  const size_t width = sizes.inner / sizes.groups;
  for (size_t row = 0; row < count; ++row) {
    float* gate = gates.row(row);
    if (norm.gate_scale != 1) {
      std::transform(gate, gate + sizes.inner, gate, [&](float value) { return norm.gate_scale * value; });
    }
    kernels.mlp_activation(
        {.activation = Activation::silu, .gate = gate, .up = y.row(row), .count = sizes.inner, .y = gate});
    for (size_t group = 0; norm.gamma != nullptr && group < sizes.groups; ++group) {
      float* part = gate + group * width;
      kernels.rms_norm_rows({.x = {part, width},
                             .rows = 1,
                             .cols = width,
                             .gamma = norm.gamma + group * width,
                             .epsilon = norm.epsilon,
                             .y = {part, width}});
    }
  }
}

}  // namespace quintet::decoder
