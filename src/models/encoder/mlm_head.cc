#include "models/encoder/mlm_head.h"

#include <algorithm>

namespace quintet::encoder {

// Enough to read the matrix seldom, and few enough for a step of some milliseconds and a few megabytes of logits.
size_t MlmHead::rows() const {
  constexpr uint64_t kMaxLogits = uint64_t{1} << 20;
  return static_cast<size_t>(std::clamp<uint64_t>(kMaxLogits / config_.n_vocab, 8, 32));
}

Status MlmHead::reserve() {
  QUINTET_CHECK(states_.reserve(rows() * config_.n_embd));
  QUINTET_CHECK(logits_.reserve(rows() * config_.n_vocab));
  for (const TensorKind kind : {TensorKind::mlm_dense, TensorKind::mlm_output}) {
    QUINTET_CHECK(scratch_.reserve(weights_.shared[kind].matrix, rows()));
  }
  return {};
}

Rows MlmHead::logits(const float* hidden, size_t count) {
  const auto width = static_cast<size_t>(config_.n_embd);
  const Rows states = {states_.data(), width}, logits = {logits_.data(), static_cast<size_t>(config_.n_vocab)};
  const Module& norm = weights_.shared[TensorKind::mlm_norm];
  const PackedProjection projection(kernels_, scratch_, Workers::all);
  projection.multiply({{hidden, width}, 0, count}, {{weights_.shared[TensorKind::mlm_dense], states}});
  kernels_.mlp_activation(
      {.activation = config_.activation, .gate = states.data, .up = nullptr, .count = count * width, .y = states.data});
  kernels_.layer_norm_rows({.x = states,
                            .rows = count,
                            .cols = width,
                            .gamma = norm.vector.data(),
                            .beta = norm.bias.data(),
                            .epsilon = static_cast<float>(config_.norm_eps),
                            .y = states});
  projection.multiply({states, 0, count}, {{weights_.shared[TensorKind::mlm_output], logits}});
  return logits;
}

}  // namespace quintet::encoder
