#include "models/transformer/mixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace quintet {
namespace {

void softmax(std::span<float> scores) {
  const float largest = *std::ranges::max_element(scores);
  float sum = 0;
  for (float& score : scores) {
    score = std::exp(score - largest);
    sum += score;
  }
  for (float& score : scores) score /= sum;
}

void sigmoid(std::span<float> scores) {
  for (float& score : scores) score = 1 / (1 + std::exp(-score));
}

}  // namespace

Status Mixture::reserve(const TransformerConfig& config, size_t rows) {
  if (config.n_experts == 0) return {};
  experts_ = static_cast<size_t>(config.n_experts);
  width_ = static_cast<size_t>(config.n_embd);
  chosen_.resize(experts_);
  order_.resize(experts_);
  QUINTET_CHECK(scores_.reserve(uint64_t{rows} * experts_));
  for (AlignedBuffer<float>* buffer : {&inputs_, &results_, &sums_}) {
    QUINTET_CHECK(buffer->reserve(uint64_t{rows} * width_));
  }
  return {};
}

size_t Mixture::bytes() const {
  return (scores_.capacity() + inputs_.capacity() + results_.capacity() + sums_.capacity()) * sizeof(float);
}

void Mixture::clear() {
  for (std::vector<Choice>& choices : chosen_) choices.clear();
}

// Follows build_moe_ffn of llama.cpp (src/llama-graph.cpp). The first of equal scores wins.
void Mixture::choose(const TransformerConfig& config, size_t row, std::span<const float> bias) {
  constexpr float kMinSum = 6.103515625e-5F;  // the smallest normal half float
  const std::span<float> scores(this->scores().row(row), experts_);
  if (config.has_sigmoid_router) {
    sigmoid(scores);
  } else {
    softmax(scores);
  }
  const auto preference = [&](uint32_t expert) { return scores[expert] + (bias.empty() ? 0 : bias[expert]); };
  const auto used = static_cast<size_t>(config.n_experts_used);
  std::iota(order_.begin(), order_.end(), 0U);
  for (size_t i = 0; i < used; ++i) {
    size_t best = i;
    for (size_t other = i + 1; other < order_.size(); ++other) {
      const float left = preference(order_[other]), right = preference(order_[best]);
      if (left != right ? left > right : order_[other] < order_[best]) best = other;
    }
    std::swap(order_[i], order_[best]);
  }
  const std::span best = std::span<const uint32_t>(order_).first(used);
  auto scale = static_cast<float>(config.router_scale);
  if (config.has_normalized_router) {
    float sum = 0;
    for (const uint32_t expert : best) sum += scores[expert];
    scale /= std::max(sum, kMinSum);
  }
  for (const uint32_t expert : best) {
    chosen_[expert].push_back({.row = static_cast<uint32_t>(row), .weight = scale * scores[expert]});
  }
}

void Mixture::gather(size_t expert, const ConstRows& from) {
  const std::span<const Choice> rows = chosen(expert);
  for (size_t i = 0; i < rows.size(); ++i) std::copy_n(from.row(rows[i].row), width_, inputs().row(i));
}

void Mixture::add_results(size_t expert) {
  const std::span<const Choice> rows = chosen(expert);
  for (size_t i = 0; i < rows.size(); ++i) {
    const float* const result = results().row(i);
    float* const sum = sums().row(rows[i].row);
    for (size_t c = 0; c < width_; ++c) sum[c] += rows[i].weight * result[c];
  }
}

}  // namespace quintet
