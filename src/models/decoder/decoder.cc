#include "models/decoder/decoder.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/order.h"
#include "models/decoder/pass.h"
#include "tensor/finite.h"

namespace quintet::decoder {

static_assert(Decoder::kMaxTokens <= KvCache::kMaxExtension);

Status Pass::check(const Sequence& sequence, size_t max_rows) const {
  if (!has_finite_scales) return fail(Code::format, Reason::malformed, "a scale of the weights is not finite");
  const size_t count = sequence.ids.size();
  if (count == 0 || count > max_rows) return input_error(Reason::out_of_range, "{} tokens in one pass", count);
  for (const uint32_t id : sequence.ids) {
    if (id >= config.n_vocab) {
      return input_error(Reason::out_of_range, "token id {} in a vocabulary of {}", id, sizes.vocab);
    }
  }
  if (config.has_position_embeddings && sequence.cache->length() + count > config.max_seq_len) {
    return input_error(Reason::out_of_range, "more positions than the model has embeddings for");
  }
  return {};
}

Status Pass::reserve() {
  const size_t count = rows();
  while (attentions.size() < thread_count()) {
    attentions.emplace_back(config, kernels);
  }
  for (Attention& attention : attentions) {
    for (const Segment& segment : segments) {
      QUINTET_CHECK(attention.reserve(segment.cache().shape(), segment.position(segment.end)));
    }
  }
  QUINTET_CHECK(logits_.resize_uninitialized(uint64_t{wanted_rows()} * sizes.vocab));
  QUINTET_CHECK(reserve_adapters(count));
  if (count <= reserved_rows) return {};
  QUINTET_CHECK(angles.reserve(count));
  QUINTET_CHECK(local_angles.reserve(has_local_rope() ? count : 0));
  const PassSizes needed(config, count);
  QUINTET_CHECK(x_.reserve(needed.x));
  QUINTET_CHECK(normed_.reserve(needed.normed));
  QUINTET_CHECK(branch_.reserve(needed.branch));
  QUINTET_CHECK(qkv_.reserve(needed.qkv));
  QUINTET_CHECK(delta_.reserve(needed.delta));
  QUINTET_CHECK(context_.reserve(needed.context));
  QUINTET_CHECK(hidden_.reserve(needed.hidden));
  QUINTET_CHECK(layer_inputs_.reserve(needed.layer_inputs));
  QUINTET_CHECK(streams_.reserve(needed.streams));
  QUINTET_CHECK(mamba_input_.reserve(needed.mamba_input));
  if (config.layer_input_width != 0) {
    QUINTET_CHECK(projection.reserve(weights.shared[TensorKind::layer_embeddings_projection].matrix, count));
  }
  if (config.block.has_altup) {
    for (const TensorKind kind : kAltUpMatrices) QUINTET_CHECK(projection.reserve(weights.shared[kind].matrix, count));
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

Status Pass::check_result(const Segment& segment) const {
  const auto held = std::span(is_held).subspan(segment.begin, segment.rows());
  if (std::ranges::find(held, uint8_t{false}) != held.end()) {
    return fail(Code::unsupported, Reason::out_of_range,
                "keys or values are beyond the range of float16: this model needs kvCache 'f32'");
  }
  if (all_finite(logits_of(segment))) return {};
  return fail(Code::format, Reason::malformed,
              "the logits after {} tokens are not finite: the weights are damaged, or too large for floats",
              segment.position(segment.end));
}

std::span<const float> Pass::logits_of(const Segment& segment) const {
  return logits_.span().subspan(segment.first_logits * sizes.vocab, segment.wanted() * sizes.vocab);
}

size_t Pass::bytes() const {
  const size_t floats = x_.capacity() + normed_.capacity() + branch_.capacity() + qkv_.capacity() +
                        context_.capacity() + layer_inputs_.capacity() + hidden_.capacity() + logits_.capacity() +
                        delta_.capacity() + mamba_input_.capacity() + streams_.capacity() + low_rank_.capacity();
  size_t bytes = floats * sizeof(float) + angles.bytes() + local_angles.bytes() + projection.bytes() + mixture.bytes();
  for (const Attention& attention : attentions) bytes += attention.bytes();
  return bytes;
}

// Segments without wanted logits come first, so that the rows that the last layers compute are the last ones. If
// several prompts end in a pass, those layers compute some rows more than necessary.
void Pass::arrange() {
  const auto unwanted = [](const Segment& segment) {
    return segment.what == LogitsOf::none ? SIZE_MAX : segment.first_wanted() - segment.begin;
  };
  heap_sort(segments, std::ranges::greater(), unwanted);
  size_t row = 0, logits = 0;
  for (Segment& segment : segments) {
    const size_t count = segment.rows();
    segment.begin = row;
    segment.end = row += count;
    segment.first_logits = logits;
    logits += segment.wanted();
  }
}

Decoder::Decoder(const DecoderConfig& config, const Weights& weights, const Kernels& kernels)
    : pass_(std::make_unique<Pass>(config, weights, kernels)) {}

Decoder::~Decoder() = default;

Status Decoder::begin(KvCache& cache, std::span<const uint32_t> ids, LogitsOf what) {
  const Sequence sequence = {.cache = &cache, .ids = ids, .what = what};
  begin({&sequence, 1});
  return status();
}

void Decoder::begin(std::span<const Sequence> sequences) {
  Pass& pass = *pass_;
  cancel();
  statuses_.clear();
  size_t rows = 0;
  for (size_t i = 0; i < sequences.size(); ++i) {
    const Sequence& sequence = sequences[i];
    statuses_.push_back(pass.check(sequence, kMaxTokens - rows));
    if (statuses_[i]) statuses_[i] = sequence.cache->extend(sequence.ids.size());
    if (!statuses_[i]) continue;
    rows += sequence.ids.size();
    pass.segments.push_back({.cache_of_owner = sequence.cache,
                             .number = i,
                             .what = sequence.what,
                             .first_position = sequence.cache->length(),
                             .end = sequence.ids.size(),
                             .adapters = sequence.adapters == nullptr ? Adapters() : *sequence.adapters});
  }
  if (pass.segments.empty()) return;
  pass.arrange();
  pass.ids.clear();
  pass.segment_of.clear();
  pass.gathered_from.clear();
  for (Segment& segment : pass.segments) {
    pass.ids.insert(pass.ids.end(), sequences[segment.number].ids.begin(), sequences[segment.number].ids.end());
    pass.segment_of.insert(pass.segment_of.end(), segment.rows(), &segment);
  }
  pass.is_held.assign(rows, true);
  if (const Status reserved = pass.reserve(); !reserved) {
    for (const Segment& segment : pass.segments) statuses_[segment.number] = reserved;
    pass.segments.clear();
    return;
  }
  pass.pace.start(pass.task.emplace(pass.run()));
}

bool Decoder::step() {
  Pass& pass = *pass_;
  if (!pass.task) return true;
  if (!pass.pace.step()) return false;
  pass.task.reset();
  for (Segment& segment : pass.segments) {
    if (segment.given_up) continue;
    Status& status = statuses_[segment.number];
    status = pass.check_result(segment);
    if (status) segment.cache().commit(segment.rows());
  }
  return true;
}

void Decoder::cancel() {
  pass_->task.reset();
  pass_->segments.clear();
}

void Decoder::give_up(size_t sequence) {
  Pass& pass = *pass_;
  if (!pass.task) return;
  const auto segment = std::ranges::find(pass.segments, sequence, &Segment::number);
  if (segment == pass.segments.end() || segment->given_up) return;
  segment->given_up = segment->cache().take_extension();
  if (std::ranges::all_of(pass.segments, [](const Segment& other) { return other.given_up.has_value(); })) cancel();
}

const Status& Decoder::status(size_t sequence) const { return statuses_[sequence]; }

std::span<const float> Decoder::logits(size_t sequence) const {
  const auto segment = std::ranges::find(pass_->segments, sequence, &Segment::number);
  return segment == pass_->segments.end() ? std::span<const float>() : pass_->logits_of(*segment);
}

size_t Decoder::workspace_bytes() const { return pass_->bytes(); }

}  // namespace quintet::decoder
