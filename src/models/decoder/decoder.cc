#include "models/decoder/decoder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/decoder/attention.h"
#include "models/decoder/projection_input.h"
#include "models/decoder/rope.h"
#include "models/decoder/row_loop.h"
#include "models/decoder/work.h"
#include "models/panel_partition.h"
#include "tensor/finite.h"

namespace quintet::decoder {
namespace {

static_assert(Decoder::kMostTokens <= KvCache::kMostExtension);

// The config's sizes: weights of these shapes are in memory.
struct Sizes {
  explicit Sizes(const DecoderConfig& config)
      : vocab(static_cast<size_t>(config.n_vocab)),
        embd(static_cast<size_t>(config.n_embd)),
        heads(static_cast<size_t>(config.n_heads)),
        kv_heads(static_cast<size_t>(config.n_kv_heads)),
        head_dim(static_cast<size_t>(config.head_dim)),
        rope_dim(static_cast<size_t>(config.rope_dim)),
        ff(static_cast<size_t>(config.n_ff)) {}

  size_t queries() const { return heads * head_dim; }
  size_t keys() const { return kv_heads * head_dim; }
  size_t qkv() const { return queries() + 2 * keys(); }

  size_t vocab, embd, heads, kv_heads, head_dim, rope_dim, ff;
};

// Part of the columns of a row-major matrix.
struct Columns {
  float* data;
  size_t stride;

  float* row(size_t i) const { return data + i * stride; }
  Columns from(size_t column) const { return {data + column, stride}; }
};

enum class Store : uint8_t { assign, accumulate };

Product product(const Module& linear, Columns c, size_t first, Store store = Store::assign) {
  return {.weight = &linear.matrix,
          .bias = linear.bias.size() == 0 ? nullptr : linear.bias.data(),
          .c = c.data,
          .stride = c.stride,
          .first = first,
          .accumulate = store == Store::accumulate};
}

}  // namespace

struct Decoder::Pass {
  Pass(const DecoderConfig& model, const Weights& model_weights, const Kernels& variant)
      : config(model),
        sizes(model),
        weights(model_weights),
        kernels(variant),
        angles(model, model_weights.rope_freq_factors.span()),
        input(variant),
        has_finite_scales(model_weights.have_finite_scales()) {}

  Status reserve(const KvCache& cache_of_pass, size_t count);
  Status check_result() const;
  size_t bytes() const;

  Work run();
  Work layer(size_t index, size_t first);
  Work add_branch(const Module& output, const Module& norm, size_t first);
  Work queries_keys_values(const Layer& layer, size_t first);
  Work attend(size_t index, size_t first);
  Work mlp(const Layer& layer, size_t first);
  Work project(Product first, Product second = {}, Product third = {});

  void embed();
  void set_input(const Module& norm, size_t first);
  void normalize(const Module& norm, size_t first);
  void normalize_in_place(const Module& norm, float* values, size_t count) const;
  void normalize_queries_and_keys(const Layer& layer, size_t i, bool with_queries);
  void apply_rope(size_t i, bool with_queries);
  void apply_rope_and_append_kv(size_t layer, size_t first);
  void attend_rows(size_t layer, size_t kv_head, size_t row, Attention& attention);
  void activate(bool is_gated, size_t first);

  const Module& output() const { return weights.output.exists() ? weights.output : weights.embeddings; }
  // First row of the pass whose logits are wanted.
  size_t first_wanted() const { return what == LogitsOf::all ? 0 : ids.size() - 1; }

  Columns x() { return {x_.data(), sizes.embd}; }
  Columns normed() { return {normed_.data(), sizes.embd}; }
  Columns queries() { return {qkv_.data(), sizes.qkv()}; }
  Columns keys() { return queries().from(sizes.queries()); }
  Columns values() { return keys().from(sizes.keys()); }
  Columns context() { return {context_.data(), sizes.queries()}; }
  Columns gates() { return {hidden_.data(), 2 * sizes.ff}; }
  Columns ups() { return gates().from(sizes.ff); }

  const DecoderConfig& config;
  const Sizes sizes;
  const Weights& weights;
  const Kernels& kernels;

  // The pass that is under way.
  KvCache* cache = nullptr;
  std::vector<uint32_t> ids;
  LogitsOf what = LogitsOf::last;
  std::optional<Work> work;
  std::atomic<bool> is_held = true;  // all keys and values by the cache
  Pace pace;

  size_t reserved_rows = 0;
  RopeAngles angles;
  ProjectionInput input;
  std::vector<Attention> attentions;  // one a thread
  const bool has_finite_scales;
  AlignedBuffer<float> x_;        // [tokens][n_embd]: what the layers add to
  AlignedBuffer<float> normed_;   // [tokens][n_embd]
  AlignedBuffer<float> qkv_;      // [tokens][queries, keys, values]
  AlignedBuffer<float> context_;  // [tokens][n_heads * head_dim]
  AlignedBuffer<float> hidden_;   // [tokens][gate, up]
  AlignedBuffer<float> logits_;   // [tokens or 1][n_vocab]
};

// The model, from the bottom up. Of the last layer only those rows are computed that are asked for.
Work Decoder::Pass::run() {
  embed();
  if (config.is_rope) angles.set(cache->length(), ids.size());
  for (size_t i = 0; i < weights.layers.size(); ++i) {
    co_await layer(i, i + 1 == weights.layers.size() ? first_wanted() : 0);
  }
  const size_t first = first_wanted();
  normalize(weights.final_norm, first);
  input.set(normed().row(first), sizes.embd, 0, ids.size() - first);
  co_await project(product(output(), {logits_.data(), sizes.vocab}, 0));
}

// x += W_o attention(norm(x)), then x += mlp(norm(x)); in the parallel form of Phi-2 both read the same norm(x). Where
// the norms stand behind the branches, a branch reads x itself. Keys and values are those of all tokens, the rest is
// computed for the rows from `first` on.
Work Decoder::Pass::layer(size_t index, size_t first) {
  const Layer& layer = weights.layers[index];
  set_input(layer[Part::input_norm], 0);
  co_await queries_keys_values(layer, first);
  if (layer.is_parallel()) co_await mlp(layer, first);
  apply_rope_and_append_kv(index, first);
  co_await attend(index, first);
  input.set(context().data, context().stride, first, ids.size());
  co_await add_branch(layer[Part::attention_output], layer[Part::post_attention_norm], first);

  if (!layer.is_parallel()) {
    set_input(layer[Part::mlp_norm], first);
    co_await mlp(layer, first);
  }
  input.set(gates().data, gates().stride, first, ids.size());
  co_await add_branch(layer[Part::down], layer[Part::post_mlp_norm], first);
}

// What a branch reads: the normalized rows, or without a norm x as it is.
void Decoder::Pass::set_input(const Module& norm, size_t first) {
  if (norm.exists()) normalize(norm, first);
  input.set(norm.exists() ? normed().data : x().data, sizes.embd, first, ids.size());
}

// x += W input, or x += norm(W input).
Work Decoder::Pass::add_branch(const Module& output, const Module& norm, size_t first) {
  if (!norm.exists()) {
    co_await project(product(output, x(), first, Store::accumulate));
    co_return;
  }
  co_await project(product(output, normed(), first));
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      float* branch = normed().row(i);
      normalize_in_place(norm, branch, sizes.embd);
      std::transform(branch, branch + sizes.embd, x().row(i), x().row(i), std::plus<>());
    }
  });
}

Work Decoder::Pass::queries_keys_values(const Layer& layer, size_t first) {
  if (layer.has(Part::qkv)) {
    co_await project(product(layer[Part::qkv], queries(), 0));
  } else {
    co_await project(product(layer[Part::key], keys(), 0), product(layer[Part::value], values(), 0),
                     product(layer[Part::query], queries(), first));
  }
}

// Head by head, and for each some rows at a time.
Work Decoder::Pass::attend(size_t index, size_t first) {
  const size_t at_once = attentions.front().tokens_at_once();
  const size_t of_a_head = (ids.size() - first + at_once - 1) / at_once;
  const size_t count = sizes.kv_heads * of_a_head;
  const uint64_t work_of_one = attentions.front().multiply_adds(cache->shape(), cache->length() + ids.size());
  for (size_t begin = 0; begin < count;) {
    const uint64_t share = std::max<uint64_t>(thread_count(), pace.left() / work_of_one);
    const Partition parts(static_cast<size_t>(std::min<uint64_t>(share, count - begin)), 1);
    parallel_for(parts.parts, [&](size_t part, size_t thread) {
      for (size_t i = begin + parts.begin(part); i < begin + parts.end(part); ++i) {
        attend_rows(index, i / of_a_head, first + i % of_a_head * at_once, attentions[thread]);
      }
    });
    co_await pace.spend(work_of_one * parts.count);
    begin += parts.count;
  }
}

void Decoder::Pass::attend_rows(size_t index, size_t kv_head, size_t row, Attention& attention) {
  attention.attend(*cache, index, kv_head,
                   {.position = cache->length() + row,
                    .count = std::min(attention.tokens_at_once(), ids.size() - row),
                    .queries = queries().row(row),
                    .query_stride = queries().stride,
                    .context = context().row(row),
                    .context_stride = context().stride});
}

// The hidden part of the MLP: activation(W_gate x) * W_up x (Shazeer 2020, arXiv:2002.05202), or activation(W_up x).
Work Decoder::Pass::mlp(const Layer& layer, size_t first) {
  if (layer.is_parallel()) {
    co_await project(product(layer[Part::up], gates(), first));
  } else if (layer.has(Part::gate_up)) {
    co_await project(product(layer[Part::gate_up], gates(), first));
  } else {
    co_await project(product(layer[Part::gate], gates(), first), product(layer[Part::up], ups(), first));
  }
  activate(!layer.is_parallel(), first);
}

// Multiplies the input with some matrices as with one; no other has more rows to compute than the first.
Work Decoder::Pass::project(Product first, Product second, Product third) {
  // A step ends between two calls, so that these must not be long; much shorter they would cost more than they compute.
  constexpr size_t kFewestPanels = 4;
  const std::array products = {first, second, third};
  const uint64_t of_a_panel = uint64_t{kPanelRows} * cols_of(*first.weight) * (input.end() - first.first);
  const size_t panels = input.prepare(products);
  for (size_t begin = 0; begin < panels;) {
    const uint64_t share = std::max<uint64_t>(kFewestPanels * thread_count(), pace.left() / of_a_panel);
    const size_t count = static_cast<size_t>(std::min<uint64_t>(share, panels - begin));
    const PanelPartition parts(count, of_a_panel);
    parallel_for(parts.parts(), [&](size_t part, size_t) {
      input.multiply(products, begin + parts.begin(part), begin + parts.end(part));
    });
    co_await pace.spend(of_a_panel * count);
    begin += count;
  }
}

void Decoder::Pass::embed() {
  for (size_t i = 0; i < ids.size(); ++i) read_row(weights.embeddings.matrix, ids[i], x().row(i));
}

void Decoder::Pass::normalize(const Module& norm, size_t first) {
  const size_t width = sizes.embd;
  const float epsilon = static_cast<float>(config.norm_eps);
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    const float* from = x().row(begin);
    float* to = normed().row(begin);
    if (norm.bias.size() == 0) {
      kernels.rms_norm_rows(from, width, end - begin, width, norm.vector.data(), epsilon, to, width);
    } else {
      kernels.layer_norm_rows(from, width, end - begin, width, norm.vector.data(), norm.bias.data(), epsilon, to,
                              width);
    }
  });
}

// RMSNorm of as many values at a time as the norm has weights: of each head with one weight for all (Qwen3,
// arXiv:2505.09388, section 2), or of the whole row (OLMo 2, arXiv:2501.00656, section 2.1).
void Decoder::Pass::normalize_in_place(const Module& norm, float* values, size_t count) const {
  const size_t width = norm.vector.size();
  kernels.rms_norm_rows(values, width, count / width, width, norm.vector.data(), static_cast<float>(config.norm_eps),
                        values, width);
}

void Decoder::Pass::normalize_queries_and_keys(const Layer& layer, size_t i, bool with_queries) {
  if (with_queries) normalize_in_place(layer[Part::query_norm], queries().row(i), sizes.queries());
  normalize_in_place(layer[Part::key_norm], keys().row(i), sizes.keys());
}

void Decoder::Pass::apply_rope(size_t i, bool with_queries) {
  const float* cosines = angles.cosines(i);
  const float* sines = angles.sines(i);
  if (with_queries) {
    kernels.rotate_heads(queries().row(i), sizes.heads, sizes.head_dim, sizes.rope_dim, cosines, sines);
  }
  kernels.rotate_heads(keys().row(i), sizes.kv_heads, sizes.head_dim, sizes.rope_dim, cosines, sines);
}

void Decoder::Pass::apply_rope_and_append_kv(size_t index, size_t first) {
  const Layer& layer = weights.layers[index];
  for_rows(0, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (config.qk_norm != QkNorm::none) normalize_queries_and_keys(layer, i, i >= first);
      if (config.is_rope) apply_rope(i, i >= first);
      if (!cache->write(index, cache->length() + i, keys().row(i), values().row(i))) is_held = false;
    }
  });
}

void Decoder::Pass::activate(bool is_gated, size_t first) {
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      float* row = gates().row(i);
      kernels.mlp_activation(config.activation, row, is_gated ? ups().row(i) : nullptr, sizes.ff, row);
    }
  });
}

Status Decoder::Pass::reserve(const KvCache& cache_of_pass, size_t count) {
  while (attentions.size() < thread_count()) {
    attentions.emplace_back(sizes.heads / sizes.kv_heads, sizes.head_dim, kernels);
  }
  for (Attention& attention : attentions) {
    QUINTET_CHECK(attention.reserve(cache_of_pass.shape(), cache_of_pass.length() + count));
  }
  QUINTET_CHECK(logits_.reserve(uint64_t{what == LogitsOf::all ? count : 1} * sizes.vocab));
  if (count <= reserved_rows) return {};
  QUINTET_CHECK(angles.reserve(count));
  QUINTET_CHECK(x_.reserve(count * uint64_t{sizes.embd}));
  QUINTET_CHECK(normed_.reserve(count * uint64_t{sizes.embd}));
  QUINTET_CHECK(qkv_.reserve(count * uint64_t{sizes.qkv()}));
  QUINTET_CHECK(context_.reserve(count * uint64_t{sizes.queries()}));
  QUINTET_CHECK(hidden_.reserve(2 * count * uint64_t{sizes.ff}));
  for (const Layer& layer : weights.layers) {
    for (const Module& module : layer.modules()) {
      if (rows_of(module.matrix) != 0) QUINTET_CHECK(input.reserve(module.matrix, count));
    }
  }
  QUINTET_CHECK(input.reserve(output().matrix, count));
  reserved_rows = count;
  return {};
}

Status Decoder::Pass::check_result() const {
  if (!is_held) {
    return fail({.code = Code::unsupported,
                 .reason = Reason::out_of_range,
                 .detail = "keys or values beyond the range of float16: this model needs a KV cache in f32"});
  }
  if (all_finite(logits_.span())) return {};
  return fail({.code = Code::format,
               .reason = Reason::malformed,
               .detail = "the logits behind " + std::to_string(cache->length() + ids.size()) +
                         " tokens are not finite: the weights are broken, or too large for floats"});
}

size_t Decoder::Pass::bytes() const {
  const size_t floats = x_.capacity() + normed_.capacity() + qkv_.capacity() + context_.capacity() +
                        hidden_.capacity() + logits_.capacity();
  size_t bytes = floats * sizeof(float) + angles.bytes() + input.bytes();
  for (const Attention& attention : attentions) bytes += attention.bytes();
  return bytes;
}

Decoder::Decoder(const DecoderConfig& config, const Weights& weights, const Kernels& kernels)
    : pass_(std::make_unique<Pass>(config, weights, kernels)) {}

Decoder::~Decoder() = default;

Status Decoder::begin(KvCache& cache, std::span<const uint32_t> ids, LogitsOf what) {
  Pass& pass = *pass_;
  cancel();
  if (!pass.has_finite_scales) {
    return fail(
        {.code = Code::format, .reason = Reason::malformed, .detail = "weights with a scale that is not finite"});
  }
  if (ids.empty() || ids.size() > kMostTokens) {
    return input_error(Reason::out_of_range, std::to_string(ids.size()) + " tokens in one pass");
  }
  for (const uint32_t id : ids) {
    if (id >= pass.config.n_vocab) {
      return input_error(Reason::out_of_range,
                         "token id " + std::to_string(id) + " in a vocabulary of " + std::to_string(pass.sizes.vocab));
    }
  }
  pass.what = what;
  pass.is_held = true;
  QUINTET_CHECK(pass.reserve(cache, ids.size()));
  QUINTET_CHECK(cache.extend(ids.size()));
  pass.cache = &cache;
  pass.ids.assign(ids.begin(), ids.end());
  QUINTET_CHECK(pass.logits_.resize_uninitialized((ids.size() - pass.first_wanted()) * pass.sizes.vocab));
  pass.pace.start(pass.work.emplace(pass.run()));
  return {};
}

Result<bool> Decoder::step() {
  Pass& pass = *pass_;
  if (!pass.work) return true;
  if (!pass.pace.step()) return false;
  pass.work.reset();
  QUINTET_CHECK(pass.check_result());
  pass.cache->commit(pass.ids.size());
  return true;
}

void Decoder::cancel() { pass_->work.reset(); }

std::span<const float> Decoder::logits() const { return pass_->logits_.span(); }

size_t Decoder::workspace_bytes() const { return pass_->bytes(); }

}  // namespace quintet::decoder
