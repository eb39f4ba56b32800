#include "models/bert/encoder.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace quintet::bert {
namespace {

// Rows that go through a chain of layers together: their activations, up to [96][1536] floats, stay in the second-level
// cache. A multiple of the GEMM tiles' heights.
constexpr size_t kRowBlock = 96;

constexpr size_t round_up(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

Status Encoder::begin(std::span<const uint32_t> ids, std::span<const Sequence> sequences) {
  size_t longest = 0;
  for (const Sequence& sequence : sequences) {
    if (sequence.length == 0 || sequence.length > config_.max_positions) {
      return input_error(Reason::out_of_range, std::to_string(sequence.length) +
                                                   " tokens; the model takes 1 to " +
                                                   std::to_string(config_.max_positions));
    }
    longest = std::max(longest, sequence.length);
  }
  for (const uint32_t id : ids) {
    if (id >= config_.vocab_size) {
      return input_error(Reason::out_of_range, "token id " + std::to_string(id) + " in a vocabulary of " +
                                                   std::to_string(config_.vocab_size));
    }
  }
  QUINTET_CHECK(reserve(ids.size(), longest));
  sequences_.assign(sequences.begin(), sequences.end());
  tokens_ = ids.size();
  next_layer_ = 0;
  embed(ids);
  return {};
}

Status Encoder::reserve(size_t tokens, size_t longest) {
  const uint64_t hidden = config_.hidden;
  const size_t block = std::min(tokens, kRowBlock);
  QUINTET_CHECK(hidden_.reserve(tokens * hidden));
  QUINTET_CHECK(qkv_.reserve(tokens * 3 * hidden));
  QUINTET_CHECK(context_.reserve(tokens * hidden));
  QUINTET_CHECK(intermediate_.reserve(uint64_t{block} * config_.intermediate));
  QUINTET_CHECK(scores_.reserve(uint64_t{block} * longest));
  QUINTET_CHECK(key_panels_.reserve(uint64_t{round_up(longest, kPanelRows)} * config_.head_dim()));
  QUINTET_CHECK(value_panels_.reserve(uint64_t{round_up(config_.head_dim(), kPanelRows)} * longest));
  for (const Layer& layer : weights_.layers) {
    for (const Linear* linear : {&layer.query, &layer.key, &layer.value}) {
      QUINTET_CHECK(LinearInput::reserve(linear->weight, tokens, quantized_, scales_));
    }
    for (const Linear* linear : {&layer.attention_output, &layer.intermediate, &layer.output}) {
      QUINTET_CHECK(LinearInput::reserve(linear->weight, block, quantized_, scales_));
    }
  }
  return {};
}

void Encoder::embed(std::span<const uint32_t> ids) {
  for (const Sequence& sequence : sequences_) {
    for (size_t position = 0; position < sequence.length; ++position) {
      const size_t token = sequence.begin + position;
      float* x = hidden_.data() + token * config_.hidden;
      weights_.word_embeddings.read_row(ids[token], x);
      weights_.token_type_embeddings.add_row(0, x);
      weights_.position_embeddings.add_row(position, x);
    }
  }
  normalize(weights_.embeddings_norm, hidden_.data(), tokens_);
}

bool Encoder::step() {
  if (next_layer_ < weights_.layers.size()) {
    const Layer& layer = weights_.layers[next_layer_++];
    self_attention(layer);
    for (size_t row = 0; row < tokens_; row += kRowBlock) {
      feed_forward(layer, row, std::min(kRowBlock, tokens_ - row));
    }
  }
  return next_layer_ >= weights_.layers.size();
}

void Encoder::self_attention(const Layer& layer) {
  const size_t hidden = config_.hidden;
  LinearInput input(kernels_, quantized_, scales_);
  for (size_t row = 0; row < tokens_; row += kRowBlock) {
    float* qkv = qkv_.data() + row * 3 * hidden;
    input.set(hidden_.data() + row * hidden, hidden, std::min(kRowBlock, tokens_ - row), hidden);
    input.apply(layer.query, qkv, 3 * hidden);
    input.apply(layer.key, qkv + hidden, 3 * hidden);
    input.apply(layer.value, qkv + 2 * hidden, 3 * hidden);
  }
  for (const Sequence& sequence : sequences_) {
    for (size_t head = 0; head < config_.heads; ++head) attend(sequence, head);
  }
}

// context = softmax(Q K^T / sqrt(head_dim)) V for one head of one sequence.
void Encoder::attend(const Sequence& sequence, size_t head) {
  const size_t hidden = config_.hidden;
  const size_t head_dim = config_.head_dim();
  const size_t length = sequence.length;
  const float* query = qkv_.data() + sequence.begin * 3 * hidden + head * head_dim;
  float* context = context_.data() + sequence.begin * hidden + head * head_dim;
  const Epilogue scaled = {.alpha = 1 / std::sqrt(static_cast<float>(head_dim))};

  kernels_.pack_rows(query + hidden, 3 * hidden, length, head_dim, key_panels_.data());
  kernels_.pack_columns(query + 2 * hidden, 3 * hidden, length, head_dim, value_panels_.data());
  for (size_t row = 0; row < length; row += kRowBlock) {
    const size_t rows = std::min(kRowBlock, length - row);
    float* scores = scores_.data();
    kernels_.gemm_panels_f32(query + row * 3 * hidden, 3 * hidden, rows, key_panels_.data(), length, head_dim,
                             scores, length, scaled);
    kernels_.softmax_rows(scores, length, rows, length);
    kernels_.gemm_panels_f32(scores, length, rows, value_panels_.data(), head_dim, length,
                             context + row * hidden, hidden, {});
  }
}

// The rest of a layer for some rows: x = norm(x + W_o context), then x = norm(x + W_2 gelu(W_1 x)).
void Encoder::feed_forward(const Layer& layer, size_t begin, size_t rows) {
  const size_t hidden = config_.hidden;
  float* x = hidden_.data() + begin * hidden;
  const Epilogue onto_x = {.residual = x, .residual_stride = hidden};
  LinearInput input(kernels_, quantized_, scales_);

  input.set(context_.data() + begin * hidden, hidden, rows, hidden);
  input.apply(layer.attention_output, x, hidden, onto_x);
  normalize(layer.attention_norm, x, rows);

  input.set(x, hidden, rows, hidden);
  input.apply(layer.intermediate, intermediate_.data(), config_.intermediate, {.activation = Activation::gelu_erf});
  input.set(intermediate_.data(), config_.intermediate, rows, config_.intermediate);
  input.apply(layer.output, x, hidden, onto_x);
  normalize(layer.output_norm, x, rows);
}

void Encoder::normalize(const LayerNorm& norm, float* rows, size_t count) {
  kernels_.layer_norm_rows(rows, config_.hidden, count, config_.hidden, norm.gamma.data(), norm.beta.data(),
                           config_.layer_norm_epsilon, rows, config_.hidden);
}

size_t Encoder::workspace_bytes() const {
  return (hidden_.capacity() + qkv_.capacity() + context_.capacity() + intermediate_.capacity() +
          scores_.capacity() + key_panels_.capacity() + value_panels_.capacity() + scales_.capacity()) *
             sizeof(float) +
         quantized_.capacity();
}

}  // namespace quintet::bert
