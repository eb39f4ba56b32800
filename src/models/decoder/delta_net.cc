#include "models/decoder/delta_net.h"

#include <cmath>
#include <cstring>

namespace quintet::decoder {
namespace {

// The operands of one step of a head, except the values.
struct DeltaStep {
  const float* query;
  const float* key;
  size_t key_dim;
  float strength, decay;
};

float dot(const float* a, const float* b, size_t count) {
  float sum = 0;
  for (size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// transformers, modeling_qwen3_5.py, l2norm.
void scale_to_length(float* x, size_t count, float length) {
  constexpr float kEpsilon = 1e-6F;
  const float scale = length / std::sqrt(dot(x, x, count) + kEpsilon);
  for (size_t i = 0; i < count; ++i) x[i] *= scale;
}

// Some columns of the state, [key_dim] rows that are `stride` apart. They are one vector, so that they are computed
// together at any level of optimization.
template <size_t kColumns>
void step_columns(const DeltaStep& step, const float* before, float* state, size_t stride, float* values) {
  using Columns [[gnu::vector_size(kColumns * sizeof(float))]] = float;
  Columns found = {}, change, output = {};
  for (size_t i = 0; i < step.key_dim; ++i) {
    Columns row;
    std::memcpy(&row, before + i * stride, sizeof(row));
    found += row * step.key[i];
  }
  std::memcpy(&change, values, sizeof(change));
  change = (change - found * step.decay) * step.strength;
  for (size_t i = 0; i < step.key_dim; ++i) {
    Columns row;
    std::memcpy(&row, before + i * stride, sizeof(row));
    row = row * step.decay + change * step.key[i];
    output += row * step.query[i];
    std::memcpy(state + i * stride, &row, sizeof(row));
  }
  std::memcpy(values, &output, sizeof(output));
}

}  // namespace

void prepare_delta_rows(const DeltaNetSizes& sizes, const DeltaHeads& heads, Rows channels, const DeltaSteps& steps,
                        size_t begin, size_t end) {
  const float query_length = 1 / std::sqrt(static_cast<float>(sizes.key_dim));
  for (size_t row = begin; row < end; ++row) {
    for (size_t head = 0; head < sizes.key_heads; ++head) {
      float* query = channels.row(row) + head * sizes.key_dim;
      scale_to_length(query, sizes.key_dim, query_length);
      scale_to_length(query + sizes.keys(), sizes.key_dim, 1);
    }
    float* strengths = steps.strengths.row(row);
    float* decays = steps.decays.row(row);
    for (size_t head = 0; head < sizes.value_heads; ++head) {
      const float time = decays[head] + heads.time_biases[head];
      const float step =
          time > 20 ? time : std::log1p(std::exp(time));  // a softplus; beyond, a float rounds the rest off
      strengths[head] = 1 / (1 + std::exp(-strengths[head]));
      decays[head] = std::exp(heads.rates[head] * step);
    }
  }
}

// Column by column, whose part of the state then stays in the nearest cache for all rows.
void scan_delta_head(const DeltaNetSizes& sizes, size_t head, Rows channels, const DeltaSteps& steps, size_t count,
                     const float* before, float* state) {
  constexpr size_t kColumns = 16, kFew = 4;
  const size_t key_at = sizes.key_head_of(head) * sizes.key_dim;
  const size_t value_at = 2 * sizes.keys() + head * sizes.value_dim;
  for (size_t column = 0; column < sizes.value_dim;) {
    const size_t left = sizes.value_dim - column;
    const size_t columns = left >= kColumns ? kColumns : left >= kFew ? kFew : 1;
    for (size_t row = 0; row < count; ++row) {
      float* of_row = channels.row(row);
      const DeltaStep step = {.query = of_row + key_at,
                              .key = of_row + sizes.keys() + key_at,
                              .key_dim = sizes.key_dim,
                              .strength = steps.strengths.row(row)[head],
                              .decay = steps.decays.row(row)[head]};
      float* values = of_row + value_at + column;
      auto* const compute = columns == kColumns ? step_columns<kColumns>
                            : columns == kFew   ? step_columns<kFew>
                                                : step_columns<1>;
      compute(step, (row == 0 ? before : state) + column, state + column, sizes.value_dim, values);
    }
    column += columns;
  }
}

}  // namespace quintet::decoder
