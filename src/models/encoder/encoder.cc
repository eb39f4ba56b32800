#include "models/encoder/encoder.h"

#include <algorithm>
#include <string>

#include "base/thread_pool.h"
#include "models/encoder/pass_sizes.h"

namespace quintet::encoder {
namespace {

// The minimum number of rows of a thread for which it processes all weights of a layer by itself, and for a part of
// them.
constexpr size_t kRowsOfThread = 32;
constexpr size_t kRowsOfPart = 16;

}  // namespace

Status Encoder::begin(std::span<const uint32_t> ids, std::span<const Sequence> sequences,
                      std::span<const uint8_t> types) {
  size_t longest = 0;
  for (const Sequence& sequence : sequences) {
    if (sequence.length == 0 || sequence.length > config_.max_tokens()) {
      return input_error(Reason::out_of_range, "{} tokens; the model supports 1 to {}", sequence.length,
                         config_.max_tokens());
    }
    longest = std::max(longest, sequence.length);
  }
  QUINTET_CHECK(check(ids, types));
  QUINTET_CHECK(reserve(ids.size(), longest));
  sequences_.assign(sequences.begin(), sequences.end());
  tokens_ = ids.size();
  embed(ids, types);
  pace_.start(pass_.emplace(run()));
  return {};
}

Status Encoder::check(std::span<const uint32_t> ids, std::span<const uint8_t> types) const {
  for (const uint32_t id : ids) {
    if (id >= config_.n_vocab) {
      return input_error(Reason::out_of_range, "token id {} in a vocabulary of {}", id, config_.n_vocab);
    }
  }
  if (types.empty() || !config_.has_token_types) return {};
  if (types.size() != ids.size()) {
    return input_error(Reason::mismatch, "{} token types for {} tokens", types.size(), ids.size());
  }
  const size_t known = weights_.token_type_embeddings.rows();
  for (const uint8_t type : types) {
    if (type >= known) {
      return input_error(Reason::out_of_range, "token type {}, but the model has {}", type, known);
    }
  }
  return {};
}

// The division of a layer's rows among threads. A few rows stay together: the threads then share each matrix instead.
struct Encoder::Parts {
  explicit Parts(size_t tokens)
      : together(tokens < kRowsOfThread * thread_count()), rows(tokens, together ? SIZE_MAX : kRowsOfPart) {}

  // The maximum number of rows of a block.
  size_t block() const { return std::min(kRowBlock, (rows.count + rows.parts - 1) / rows.parts); }

  bool together;
  Partition rows;
};

Status Encoder::reserve(size_t tokens, size_t longest) {
  const PassSizes needed(config_, weights_.layers.size(), tokens);
  QUINTET_CHECK(hidden_.reserve(needed.hidden));
  if (weights_.layers.empty()) return {};
  QUINTET_CHECK(qkv_.reserve(needed.qkv));
  QUINTET_CHECK(context_.reserve(needed.context));
  QUINTET_CHECK(layer_inputs_.reserve(needed.layer_inputs));
  if (config_.block.has_value_norm) {
    ones_.assign(static_cast<size_t>(std::max(config_.head_dim, config_.local_head_dim)), 1.0F);
  }
  QUINTET_CHECK(attention_.prepare(longest));
  scratch_.resize(std::max(scratch_.size(), thread_count()));
  const Parts parts(tokens);
  for (Scratch& scratch : scratch_) {
    QUINTET_CHECK(attention_.reserve(scratch.attention, longest));
    if (!parts.together || &scratch == scratch_.data()) QUINTET_CHECK(reserve_block(scratch, parts.block()));
  }
  if (config_.layer_input_width != 0) {
    const Module& projection = weights_.shared[TensorKind::layer_embeddings_projection];
    QUINTET_CHECK(scratch_.front().projection.reserve(projection.matrix, tokens));
  }
  if (config_.embedding_width == config_.n_embd) return {};
  QUINTET_CHECK(embedded_.reserve(needed.embedded));
  return scratch_.front().projection.reserve(weights_.shared[TensorKind::embeddings_projection].matrix, tokens);
}

// Whether a layer needs a second buffer, for its input or for normalized rows.
bool Encoder::needs_rows() const {
  return config_.has_pre_norm() ||
         (!weights_.layers.empty() && weights_.layers[0].has(TensorKind::second_attention_norm));
}

Status Encoder::reserve_block(Scratch& scratch, size_t rows) const {
  QUINTET_CHECK(scratch.intermediate.reserve(uint64_t{rows} * intermediate_width(config_)));
  QUINTET_CHECK(scratch.mixture.reserve(config_, rows));
  if (needs_rows()) QUINTET_CHECK(scratch.rows.reserve(rows * config_.n_embd));
  Status reserved;
  for (const Layer& layer : weights_.layers) {
    layer.for_each_module([&](const Module& module) {
      if (reserved) reserved = scratch.projection.reserve(module.matrix, rows);
    });
  }
  return reserved;
}

void Encoder::embed(std::span<const uint32_t> ids, std::span<const uint8_t> types) {
  positions_.resize(ids.size());
  const auto width = static_cast<size_t>(config_.embedding_width);
  const bool is_projected = width != embd_;
  const Rows all = {is_projected ? embedded_.data() : hidden_.data(), width};
  for (const Sequence& sequence : sequences_) {
    for (size_t position = 0; position < sequence.length; ++position) {
      const size_t token = sequence.begin + position;
      float* x = all.row(token);
      positions_[token] = position;
      embed_word(ids[token], x);
      if (config_.has_token_types) weights_.token_type_embeddings.add_row(types.empty() ? 0 : types[token], x);
      if (config_.has_position_embeddings) {
        weights_.position_embeddings.add_row(position + static_cast<size_t>(config_.position_offset), x);
      }
    }
  }
  const Module& norm = weights_.shared[TensorKind::embeddings_norm];
  if (norm.exists()) normalize(norm, all, tokens_, all);
  if (config_.layer_input_width != 0) make_layer_inputs(all);
  if (!is_projected) return;
  const PackedProjection projection(kernels_, scratch_.front().projection, Workers::all);
  projection.multiply({all, 0, tokens_},
                      {{weights_.shared[TensorKind::embeddings_projection], {hidden_.data(), embd_}}});
}

void Encoder::embed_word(uint32_t id, float* x) const {
  const AlignedBuffer<uint32_t>& rows = weights_.word_rows;
  if (config_.has_mlm_head) {
    weights_.shared[TensorKind::mlm_output].matrix.read_row(id, x);
  } else {
    weights_.word_embeddings.read_row(rows.size() == 0 ? id : rows.data()[id], x);
  }
  auto scale = static_cast<float>(config_.embedding_scale);
  if (weights_.word_weights.size() != 0) scale *= weights_.word_weights.data()[id];
  if (scale == 1) return;
  for (size_t i = 0; i < config_.embedding_width; ++i) x[i] *= scale;
}

Task<> Encoder::run() {
  for (size_t layer = 0; layer < weights_.layers.size(); ++layer) {
    if (layer != 0) co_await pace_.pause();
    for_each_block(layer, &Encoder::query_key_value);
    const auto heads = static_cast<size_t>(config_.n_heads);
    const size_t parts = config_.has_attention(layer) ? sequences_.size() * heads : 0;
    parallel_for(parts, [&](size_t i, size_t thread) {
      attention_.attend(layer, sequences_[i / heads], i % heads, qkv_.data(), context_.data(),
                        scratch_[thread].attention);
    });
    for_each_block(layer, &Encoder::feed_forward);
  }
  const Rows all = {hidden_.data(), embd_};
  if (config_.has_pre_norm()) normalize(weights_.shared[TensorKind::final_norm], all, tokens_, all);
}

void Encoder::for_each_block(size_t layer, ComputeBlock compute) {
  const Parts parts(tokens_);
  const size_t wide = intermediate_width(config_);
  const auto compute_rows = [&](size_t row, size_t end, Scratch& scratch, Workers workers) {
    for (; row < end; row += kRowBlock) {
      Block block = {.begin = row,
                     .rows = std::min(kRowBlock, end - row),
                     .projection = PackedProjection(kernels_, scratch.projection, workers),
                     .x = {hidden_.data() + row * embd_, embd_},
                     .intermediate = {scratch.intermediate.data(), wide},
                     .extra = {scratch.rows.data(), embd_},
                     .mixture = &scratch.mixture,
                     .heads = Heads(config_, layer)};
      (this->*compute)(layer, block);
    }
  };
  if (parts.together) return compute_rows(0, tokens_, scratch_.front(), Workers::all);
  parallel_for(parts.rows.parts, [&](size_t part, size_t thread) {
    compute_rows(parts.rows.begin(part), parts.rows.end(part), scratch_[thread], Workers::one);
  });
}

void Encoder::query_key_value(size_t index, Block& block) {
  const Layer& layer = weights_.layers[index];
  const size_t width = block.heads.qkv();
  const size_t keys = block.heads.queries(), values = keys + block.heads.keys();  // where they begin in a row
  const Rows qkv = {qkv_.data() + block.begin * width, width};
  const Activations h = normalized(layer[TensorKind::input_norm], block);
  if (layer.has(TensorKind::convolution_input)) {
    const Rows gated = {qkv_.data() + block.begin * 3 * embd_, 3 * embd_};
    return block.projection.multiply(h, {{layer[TensorKind::convolution_input], gated}});
  }
  if (layer.has(TensorKind::qkv)) {
    block.projection.multiply(h, {{layer[TensorKind::qkv], qkv}});
  } else {
    block.projection.multiply(h, {{layer[TensorKind::query], qkv},
                                  {layer[TensorKind::key], qkv.from_column(keys)},
                                  {layer[TensorKind::value], qkv.from_column(values)}});
  }
  for (size_t row = 0; row < block.rows; ++row) {
    float* const query = qkv.row(row);
    normalize_heads(layer, block.heads, query);
    if (config_.is_rope) attention_.rotate(block.heads, positions_[block.begin + row], query, query + keys);
  }
}

// Queries, keys and, in some networks, values of a token.
void Encoder::normalize_heads(const Layer& layer, const Heads& heads, float* row) const {
  const std::span<float> queries(row, heads.queries()), keys(queries.end(), heads.keys());
  if (config_.block.has_value_norm) {
    transformer::normalize_row(kernels_.rms_norm_rows, std::span(ones_).first(heads.dim), nullptr, config_.norm_eps,
                               {keys.end(), heads.keys()});
  }
  if (!layer.has(TensorKind::query_norm)) return;
  normalize_row(layer[TensorKind::query_norm], queries);
  normalize_row(layer[TensorKind::key_norm], keys);
}

// The rest of a layer. With norms after the branches: x = norm(x + W_o context), then x = norm(x + mlp(x)); with norms
// before them: x += W_o context, then x += mlp(norm(x)); with both: x += norm(W_o context), then x +=
// norm(mlp(norm(x))).
void Encoder::feed_forward(size_t index, Block& block) {
  const Layer& layer = weights_.layers[index];
  add_mixer(layer, block);
  const Activations h = normalized(layer[TensorKind::mlp_norm], block);
  if (config_.has_experts(index)) {
    add_experts(layer, block, h);
  } else {
    add_mlp(layer, block, h);
  }
  if (config_.layer_input_width != 0) add_layer_input(index, block);
  if (!config_.has_pre_norm()) normalize(layer[TensorKind::output_norm], block.x, block.rows, block.x);
}

void Encoder::add_mixer(const Layer& layer, Block& block) {
  const bool convolves = layer.has(TensorKind::convolution_kernel);
  if (convolves) convolve(layer[TensorKind::convolution_kernel], block);
  const bool adds_input_again = layer.has(TensorKind::second_attention_norm);
  if (adds_input_again) std::copy_n(block.x.data, block.rows * embd_, block.extra.data);
  const Module& output = layer[convolves ? TensorKind::convolution_output : TensorKind::attention_output];
  const size_t width = output.matrix.cols();
  const ConstRows context = {context_.data() + block.begin * width, width};
  add_branch(output, layer[TensorKind::attention_norm], {context, 0, block.rows}, block);
  if (!config_.has_pre_norm()) normalize(layer[TensorKind::attention_norm], block.x, block.rows, block.x);
  if (!adds_input_again) return;
  add_extra(block);
  normalize(layer[TensorKind::second_attention_norm], block.x, block.rows, block.x);
}

void Encoder::add_extra(Block& block) const {
  for (size_t i = 0; i < block.rows * embd_; ++i) block.x.data[i] += block.extra.data[i];
}

// x += W in, through a norm if the network has them after its branches.
void Encoder::add_branch(const Module& output, const Module& norm, const Activations& in, Block& block) const {
  if (!config_.has_branch_norms()) {
    return block.projection.multiply(in, {{output, block.x, {.residual = block.x}}});
  }
  block.projection.multiply(in, {{output, block.extra}});
  normalize(norm, block.extra, block.rows, block.extra);
  add_extra(block);
}

void Encoder::add_mlp(const Layer& layer, Block& block, const Activations& h) const {
  const Activations hidden =
      config_.block.is_gated ? gated_hidden_part(layer, block, h) : hidden_part(layer[TensorKind::up], block, h);
  add_branch(layer[TensorKind::down], layer[TensorKind::output_norm], hidden, block);
}

// activation(W_up h). The product applies the usual activation itself.
Activations Encoder::hidden_part(const Module& up, const Block& block, const Activations& h) const {
  const bool is_usual = config_.activation == Activation::gelu_erf;
  const Activation activation = is_usual ? Activation::gelu_erf : Activation::none;
  block.projection.multiply(h, {{up, block.intermediate, {.activation = activation}}});
  if (!is_usual) {
    transformer::gate_row(kernels_, config_.activation, {block.intermediate.data, h.count() * ff_}, nullptr);
  }
  return {block.intermediate, 0, h.count()};
}

// activation(W_gate h) * W_up h.
Activations Encoder::gated_hidden_part(const Layer& layer, const Block& block, const Activations& h) const {
  const bool gate_is_second = layer.has(TensorKind::up_gate);
  const Rows& both = block.intermediate;
  const Rows gate = both.from_column(gate_is_second ? ff_ : 0), up = both.from_column(gate_is_second ? 0 : ff_);
  if (layer.has(TensorKind::gate)) {
    block.projection.multiply(h, {{layer[TensorKind::gate], gate}, {layer[TensorKind::up], up}});
  } else {
    block.projection.multiply(h, {{layer[gate_is_second ? TensorKind::up_gate : TensorKind::gate_up], both}});
  }
  for (size_t row = 0; row < block.rows; ++row) {
    transformer::gate_row(kernels_, config_.activation, {gate.row(row), ff_}, up.row(row));
  }
  return {gate, 0, block.rows};
}

// norm(x), or x itself without a norm.
Activations Encoder::normalized(const Module& norm, const Block& block) const {
  if (!norm.exists()) return {block.x, 0, block.rows};
  normalize(norm, block.x, block.rows, block.extra);
  return {block.extra, 0, block.rows};
}

NormRows* Encoder::norm_kernel() const {
  return config_.block.has_layer_norm ? kernels_.layer_norm_rows : kernels_.rms_norm_rows;
}

void Encoder::normalize_row(const Module& norm, std::span<float> row) const {
  transformer::normalize_row(norm_kernel(), norm.vector.span(), norm.bias.data(), config_.norm_eps, row);
}

// Normalizes rows that are as wide as the norm.
void Encoder::normalize(const Module& norm, const Rows& x, size_t rows, const Rows& y) const {
  norm_kernel()({.x = x,
                 .rows = rows,
                 .cols = norm.vector.size(),
                 .gamma = norm.vector.data(),
                 .beta = norm.bias.data(),
                 .epsilon = static_cast<float>(config_.norm_eps),
                 .y = y});
}

size_t Encoder::Scratch::bytes() const {
  return (intermediate.capacity() + rows.capacity()) * sizeof(float) + attention.bytes() + projection.bytes() +
         mixture.bytes();
}

size_t Encoder::workspace_bytes() const {
  size_t bytes =
      (hidden_.capacity() + embedded_.capacity() + qkv_.capacity() + context_.capacity() + layer_inputs_.capacity()) *
          sizeof(float) +
      attention_.bytes();
  for (const Scratch& scratch : scratch_) bytes += scratch.bytes();
  return bytes;
}

}  // namespace quintet::encoder
