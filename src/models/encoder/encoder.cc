#include "models/encoder/encoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/thread_pool.h"

namespace quintet::encoder {
namespace {

// Number of rows that go through a chain of layers together: their activations, up to [96][1536] floats, stay in the
// second-level cache. A multiple of the GEMM tiles' heights.
constexpr size_t kRowBlock = 96;

// Minimum number of rows of a thread for which it processes all weights of a layer by itself, and for a part of them.
constexpr size_t kRowsOfThread = 32;
constexpr size_t kRowsOfPart = 16;

constexpr uint64_t round_up(uint64_t n, uint64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

Status Encoder::begin(std::span<const uint32_t> ids, std::span<const Sequence> sequences) {
  size_t longest = 0;
  for (const Sequence& sequence : sequences) {
    if (sequence.length == 0 || sequence.length > config_.max_positions) {
      return input_error(Reason::out_of_range, std::to_string(sequence.length) + " tokens; the model supports 1 to " +
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
  embed(ids);
  pace_.start(pass_.emplace(run()));
  return {};
}

// How the rows of a layer are divided among threads. A few rows stay together: the threads then share each matrix
// instead.
struct Encoder::Parts {
  explicit Parts(size_t tokens)
      : together(tokens < kRowsOfThread * thread_count()), rows(tokens, together ? SIZE_MAX : kRowsOfPart) {}

  // Maximum number of rows of a block.
  size_t block() const { return std::min(kRowBlock, (rows.count + rows.parts - 1) / rows.parts); }

  bool together;
  Partition rows;
};

Status Encoder::reserve(size_t tokens, size_t longest) {
  const uint64_t hidden = config_.hidden;
  QUINTET_CHECK(hidden_.reserve(tokens * hidden));
  QUINTET_CHECK(qkv_.reserve(tokens * 3 * hidden));
  QUINTET_CHECK(context_.reserve(tokens * hidden));
  scratch_.resize(std::max(scratch_.size(), thread_count()));
  const Parts parts(tokens);
  for (Scratch& scratch : scratch_) {
    QUINTET_CHECK(reserve_attention(scratch, longest));
    if (!parts.together || &scratch == scratch_.data()) QUINTET_CHECK(reserve_block(scratch, parts.block()));
  }
  return {};
}

Status Encoder::reserve_attention(Scratch& scratch, uint64_t longest) const {
  const uint64_t head_dim = config_.head_dim();
  QUINTET_CHECK(scratch.scores.reserve(std::min<uint64_t>(longest, kRowBlock) * longest));
  QUINTET_CHECK(scratch.key_panels.reserve(round_up(longest, kPanelRows) * head_dim));
  return scratch.value_panels.reserve(round_up(head_dim, kPanelRows) * longest);
}

Status Encoder::reserve_block(Scratch& scratch, size_t rows) const {
  QUINTET_CHECK(scratch.intermediate.reserve(uint64_t{rows} * config_.intermediate));
  for (const Layer& layer : weights_.layers) {
    for (const Linear* linear : layer.linears()) {
      QUINTET_CHECK(scratch.linear.reserve(linear->weight, rows));
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

Task<> Encoder::run() {
  for (const Layer& layer : weights_.layers) {
    if (&layer != weights_.layers.data()) co_await pace_.pause();
    for_each_block(layer, &Encoder::query_key_value);
    parallel_for(sequences_.size() * config_.heads, [&](size_t i, size_t thread) {
      attend(sequences_[i / config_.heads], i % config_.heads, scratch_[thread]);
    });
    for_each_block(layer, &Encoder::feed_forward);
  }
}

void Encoder::for_each_block(const Layer& layer, ComputeBlock compute) {
  const Parts parts(tokens_);
  const auto compute_rows = [&](size_t row, size_t end, Scratch& scratch, Workers workers) {
    for (; row < end; row += kRowBlock) {
      Block block = {.begin = row,
                     .rows = std::min(kRowBlock, end - row),
                     .input = LinearInput(kernels_, scratch.linear, workers),
                     .intermediate = scratch.intermediate.data()};
      (this->*compute)(layer, block);
    }
  };
  if (parts.together) return compute_rows(0, tokens_, scratch_.front(), Workers::all);
  parallel_for(parts.rows.parts, [&](size_t part, size_t thread) {
    compute_rows(parts.rows.begin(part), parts.rows.end(part), scratch_[thread], Workers::one);
  });
}

void Encoder::query_key_value(const Layer& layer, Block& block) {
  const size_t hidden = config_.hidden;
  float* qkv = qkv_.data() + block.begin * 3 * hidden;
  LinearInput& input = block.input;
  input.set(hidden_.data() + block.begin * hidden, hidden, block.rows, hidden);
  input.apply(layer.query, qkv, 3 * hidden);
  input.apply(layer.key, qkv + hidden, 3 * hidden);
  input.apply(layer.value, qkv + 2 * hidden, 3 * hidden);
}

// context = softmax(Q K^T / sqrt(head_dim)) V for one head of one sequence.
void Encoder::attend(const Sequence& sequence, size_t head, Scratch& scratch) {
  const size_t hidden = config_.hidden;
  const size_t head_dim = config_.head_dim();
  const size_t length = sequence.length;
  const float* query = qkv_.data() + sequence.begin * 3 * hidden + head * head_dim;
  float* context = context_.data() + sequence.begin * hidden + head * head_dim;
  const Epilogue scaled = {.alpha = 1 / std::sqrt(static_cast<float>(head_dim))};

  kernels_.pack_rows(query + hidden, 3 * hidden, length, head_dim, scratch.key_panels.data());
  kernels_.pack_columns(query + 2 * hidden, 3 * hidden, length, head_dim, scratch.value_panels.data());
  for (size_t row = 0; row < length; row += kRowBlock) {
    const size_t rows = std::min(kRowBlock, length - row);
    float* scores = scratch.scores.data();
    kernels_.gemm_panels_f32(query + row * 3 * hidden, 3 * hidden, rows, scratch.key_panels.data(), length, head_dim,
                             scores, length, scaled);
    kernels_.softmax_rows(scores, length, rows, length);
    kernels_.gemm_panels_f32(scores, length, rows, scratch.value_panels.data(), head_dim, length,
                             context + row * hidden, hidden, {});
  }
}

// The rest of a layer: x = norm(x + W_o context), then x = norm(x + W_2 gelu(W_1 x)).
void Encoder::feed_forward(const Layer& layer, Block& block) {
  const size_t hidden = config_.hidden;
  const size_t wide = config_.intermediate;
  float* x = hidden_.data() + block.begin * hidden;
  const Epilogue onto_x = {.residual = x, .residual_stride = hidden};
  LinearInput& input = block.input;

  input.set(context_.data() + block.begin * hidden, hidden, block.rows, hidden);
  input.apply(layer.attention_output, x, hidden, onto_x);
  normalize(layer.attention_norm, x, block.rows);

  input.set(x, hidden, block.rows, hidden);
  input.apply(layer.intermediate, block.intermediate, wide, {.activation = Activation::gelu_erf});
  input.set(block.intermediate, wide, block.rows, wide);
  input.apply(layer.output, x, hidden, onto_x);
  normalize(layer.output_norm, x, block.rows);
}

void Encoder::normalize(const LayerNorm& norm, float* rows, size_t count) {
  kernels_.layer_norm_rows(rows, config_.hidden, count, config_.hidden, norm.gamma.data(), norm.beta.data(),
                           config_.layer_norm_epsilon, rows, config_.hidden);
}

size_t Encoder::Scratch::bytes() const {
  const size_t floats = intermediate.capacity() + scores.capacity() + key_panels.capacity() + value_panels.capacity();
  return floats * sizeof(float) + linear.bytes();
}

size_t Encoder::workspace_bytes() const {
  size_t bytes = (hidden_.capacity() + qkv_.capacity() + context_.capacity()) * sizeof(float);
  for (const Scratch& scratch : scratch_) bytes += scratch.bytes();
  return bytes;
}

}  // namespace quintet::encoder
