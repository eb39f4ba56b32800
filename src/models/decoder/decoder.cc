#include "models/decoder/decoder.h"

#include <algorithm>
#include <string>

#include "models/decoder/pass.h"
#include "tensor/finite.h"

namespace quintet::decoder {

static_assert(Decoder::kMaxTokens <= KvCache::kMaxExtension);

Status Pass::reserve(const KvCache& cache_of_pass, size_t count) {
  while (attentions.size() < thread_count()) {
    attentions.emplace_back(config, kernels);
  }
  for (Attention& attention : attentions) {
    QUINTET_CHECK(attention.reserve(cache_of_pass.shape(), cache_of_pass.length() + count));
  }
  QUINTET_CHECK(logits_.reserve(uint64_t{what == LogitsOf::all ? count : 1} * sizes.vocab));
  if (count <= reserved_rows) return {};
  QUINTET_CHECK(angles.reserve(count));
  QUINTET_CHECK(local_angles.reserve(has_local_rope() ? count : 0));
  QUINTET_CHECK(x_.reserve(count * uint64_t{sizes.embd}));
  QUINTET_CHECK(normed_.reserve(count * uint64_t{sizes.embd}));
  if (has_separate_branches()) QUINTET_CHECK(branch_.reserve(count * uint64_t{sizes.embd}));
  QUINTET_CHECK(qkv_.reserve(count * uint64_t{std::max(sizes.max_qkv, gated_values())}));
  QUINTET_CHECK(delta_.reserve(count * uint64_t{config.has_delta_net() ? delta_sizes.in() : 0}));
  QUINTET_CHECK(context_.reserve(count * uint64_t{sizes.max_queries}));
  QUINTET_CHECK(hidden_.reserve(2 * count * uint64_t{sizes.max_ff}));
  if (config.layer_input_width != 0) {
    QUINTET_CHECK(layer_inputs_.reserve((count + 1) * config.n_layers * config.layer_input_width));
    QUINTET_CHECK(projection.reserve(weights.shared[TensorKind::layer_embeddings_projection].matrix, count));
  }
  if (config.block.has_altup) {
    QUINTET_CHECK(streams_.reserve(count * kAltUpStreams * sizes.embd));
    for (const TensorKind kind : kAltUpMatrices) QUINTET_CHECK(projection.reserve(weights.shared[kind].matrix, count));
  }
  if (config.has_mamba()) {
    QUINTET_CHECK(mamba_input_.reserve(count * uint64_t{mamba_sizes.in()}));
  }
  QUINTET_CHECK(mixture.reserve(config, count));
  Status reserved;
  for (const Layer& layer : weights.layers) {
    layer.for_each_module([&](const Module& module) {
      if (reserved && rows_of(module.matrix) != 0) reserved = projection.reserve(module.matrix, count);
    });
  }
  QUINTET_CHECK(std::move(reserved));
  QUINTET_CHECK(projection.reserve(weights.output().matrix, count));
  reserved_rows = count;
  return {};
}

Status Pass::check_result() const {
  if (!is_held) {
    return fail(Code::unsupported, Reason::out_of_range,
                "keys or values are beyond the range of float16: this model needs kvCache 'f32'");
  }
  if (all_finite(logits_.span())) return {};
  return fail(Code::format, Reason::malformed,
              "the logits after {} tokens are not finite: the weights are damaged, or too large for floats",
              cache->length() + ids.size());
}

size_t Pass::bytes() const {
  const size_t floats = x_.capacity() + normed_.capacity() + branch_.capacity() + qkv_.capacity() +
                        context_.capacity() + layer_inputs_.capacity() + hidden_.capacity() + logits_.capacity() +
                        delta_.capacity() + mamba_input_.capacity() + streams_.capacity();
  size_t bytes = floats * sizeof(float) + angles.bytes() + local_angles.bytes() + projection.bytes() + mixture.bytes();
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
    return fail(Code::format, Reason::malformed, "a scale of the weights is not finite");
  }
  if (ids.empty() || ids.size() > kMaxTokens) {
    return input_error(Reason::out_of_range, "{} tokens in one pass", ids.size());
  }
  for (const uint32_t id : ids) {
    if (id >= pass.config.n_vocab) {
      return input_error(Reason::out_of_range, "token id {} in a vocabulary of {}", id, pass.sizes.vocab);
    }
  }
  if (pass.config.has_position_embeddings && cache.length() + ids.size() > pass.config.max_seq_len) {
    return input_error(Reason::out_of_range, "more positions than the model has embeddings for");
  }
  pass.what = what;
  pass.is_held = true;
  QUINTET_CHECK(pass.reserve(cache, ids.size()));
  QUINTET_CHECK(cache.extend(ids.size()));
  pass.cache = &cache;
  pass.ids.assign(ids.begin(), ids.end());
  QUINTET_CHECK(pass.logits_.resize_uninitialized((ids.size() - pass.first_wanted()) * pass.sizes.vocab));
  pass.pace.start(pass.task.emplace(pass.run()));
  return {};
}

Result<bool> Decoder::step() {
  Pass& pass = *pass_;
  if (!pass.task) return true;
  if (!pass.pace.step()) return false;
  pass.task.reset();
  QUINTET_CHECK(pass.check_result());
  pass.cache->commit(pass.ids.size());
  return true;
}

void Decoder::cancel() { pass_->task.reset(); }

std::span<const float> Decoder::logits() const { return pass_->logits_.span(); }

size_t Decoder::workspace_bytes() const { return pass_->bytes(); }

}  // namespace quintet::decoder
