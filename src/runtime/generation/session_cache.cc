// Saves and restores the keys and values of a session as a KV cache file.

#include <algorithm>

#include "runtime/generation/session.h"
#include "runtime/inspect/describe.h"
#include "runtime/kv/model_identity.h"

namespace quintet {
namespace {

// The random state in the metadata: the words of Random::state(), each as 16 hexadecimal digits.
constexpr std::string_view kSamplerState = "sampler_state";
constexpr size_t kDigits = 16;
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string hex_text(const Random& random) {
  std::string text;
  for (const uint64_t word : random.state()) {
    for (size_t shift = 64; shift != 0; shift -= 4) text += kHexDigits[(word >> (shift - 4)) & 15];
  }
  return text;
}

Failure in_file(Failure failure) { return in_format(std::move(failure), name_of(Format::safetensors)); }

Result<std::optional<Random>> random_of(const Json& metadata) {
  const Json* entry = metadata.find(kSamplerState);
  if (!entry) return std::nullopt;
  const std::string* text = entry->as_string();
  std::array<uint64_t, 4> state{};
  bool is_good = text && text->size() == state.size() * kDigits;
  for (size_t i = 0; is_good && i < text->size(); ++i) {
    const size_t digit = kHexDigits.find((*text)[i]);
    is_good = digit != std::string_view::npos;
    state[i / kDigits] = state[i / kDigits] << 4 | (digit & 15);
  }
  // xoshiro256** never leaves an all-zero state.
  if (is_good && state != std::array<uint64_t, 4>{}) return Random(state);
  return in_file(
      fail(Code::format, Reason::malformed, "sampler_state must be 64 hexadecimal digits, not all of them 0"));
}

// The tokens of the file, or the caller's. If there are both, they must agree.
Result<std::vector<uint32_t>> tokens_of(kv::CacheContent& content, std::optional<std::vector<uint32_t>> given) {
  if (!content.tokens) {
    if (!given) return input_error(Reason::missing, "the file has no token_ids: option tokens is required");
    content.tokens = std::move(given);
  } else if (given && *given != *content.tokens) {
    return input_error(Reason::mismatch, "option tokens differs from the file's token_ids");
  }
  if (content.tokens->size() == content.cache.length()) return *std::move(content.tokens);
  return input_error(Reason::mismatch, "{} tokens for a cache of {} positions", content.tokens->size(),
                     content.cache.length());
}

}  // namespace

Status GenerationSession::check_computed() const {
  if (cache_.length() == tokens_.size()) return {};
  return input_error(Reason::out_of_range, "the session has tokens that are not computed yet");
}

Result<size_t> GenerationSession::begin_waiting() {
  QUINTET_CHECK(become_idle());
  const size_t waiting = tokens_.size() - cache_.length();
  if (waiting != 0) start_computing(tokens_.size());
  return waiting;
}

kv::CacheTarget GenerationSession::cache_target() const {
  return {.config = model_->config, .shape = cache_.shape(), .max_positions = model_->context_length};
}

Result<kv::CacheContent> GenerationSession::content(bool with_sampler) const {
  QUINTET_CHECK(check_idle());
  QUINTET_CHECK(check_computed());
  if (has_adapted()) return unsupported_error("the cache of a text that was computed with adapters cannot be saved");
  kv::CacheContent content{.cache = cache_.fork(),
                           .tokens = tokens_,
                           .logits = {},
                           .metadata = kv::identity_metadata(model_->config, model_name(model_->description.metadata))};
  content.cache.keep_checkpoint(static_cast<size_t>(model_->context_length));
  content.cache.drop_checkpoints(content.cache.row_bytes());
  if (!with_sampler) return content;
  if (random_) content.metadata.append(kSamplerState, hex_text(*random_));
  if (has_logits()) content.logits = logits_;
  return content;
}

Status GenerationSession::restore(kv::CacheContent content, std::optional<std::vector<uint32_t>> tokens,
                                  bool with_sampler) {
  QUINTET_CHECK(become_idle());
  QUINTET_TRY(auto random, random_of(content.metadata));
  if (!content.logits.empty() && content.logits.size() != model_->config.n_vocab) {
    return in_file(fail(Code::format, Reason::mismatch, "{} logits for a vocabulary of {}", content.logits.size(),
                        model_->config.n_vocab));
  }
  if (with_sampler && !random && content.logits.empty()) {
    return input_error(Reason::missing, "option sampler: the file has neither sampler_state nor logits");
  }
  QUINTET_TRY(auto ids, tokens_of(content, std::move(tokens)));
  QUINTET_CHECK(check_ids(ids, 0));

  scoring_.reset();
  generation_.reset();
  replaced_.clear();
  cache_ = std::move(content.cache);
  computed_with_ = {{}};
  tokens_ = std::move(ids);
  const bool has_logits = with_sampler && !content.logits.empty();
  if (has_logits) logits_ = std::move(content.logits);
  logits_at_ = has_logits ? tokens_.size() : 0;
  random_ = with_sampler ? random : std::nullopt;
  resumable_ = true;
  return {};
}

}  // namespace quintet
