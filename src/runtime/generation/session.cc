#include "runtime/generation/session.h"

#include <algorithm>

#include "kernels/registry.h"

namespace quintet {
namespace {

// A step takes at most about 10 ms.
void compute(GenerationSession& session, std::span<const uint32_t> ids, int max_steps) {
  auto left = session.begin(ids, false);
  for (int step = 0; left && *left != 0 && step < max_steps; ++step) left = session.step();
  session.cancel();
}

}  // namespace

using decoder::Decoder;
using decoder::KvCache;

// Going back computes fewer tokens than this again: a few passes. More checkpoints would soon be dropped again in
// models whose states are as large as the keys and values of as many positions.
constexpr size_t kCheckpointTokens = 256;

Result<std::unique_ptr<GenerationSession>> GenerationSession::create(std::shared_ptr<const GeneratorModel> model) {
  QUINTET_TRY(const KvCache::Shape shape, decoder::kv_cache_shape(model->config, model->kv_type));
  return std::unique_ptr<GenerationSession>(new GenerationSession(std::move(model), shape));
}

GenerationSession::GenerationSession(std::shared_ptr<const GeneratorModel> model, const KvCache::Shape& shape)
    : model_(std::move(model)),
      decoder_(model_->config, model_->weights, active_kernels<KernelSet::decoder>()),
      cache_(shape) {}

Status GenerationSession::check_idle() const {
  if (!computing_ && (!scoring_ || scoring_->done())) return {};
  return input_error(Reason::out_of_range, "a computation of this session is not complete");
}

Status GenerationSession::check_ids(std::span<const uint32_t> ids, size_t held) const {
  for (const uint32_t id : ids) {
    if (id < model_->config.n_vocab) continue;
    return input_error(Reason::out_of_range, "token id {} in a vocabulary of {}", id, model_->config.n_vocab);
  }
  if (ids.size() <= model_->context_length && held <= model_->context_length - ids.size()) return {};
  std::string detail = formatted("{} tokens do not fit the context of {}", ids.size(), model_->context_length);
  if (held != 0) detail += formatted(", which already has {}", held);
  return input_error(Reason::limit, "{}", detail);
}

size_t GenerationSession::common_begin(std::span<const uint32_t> ids) const {
  const auto differs = std::mismatch(tokens_.begin(), tokens_.end(), ids.begin(), ids.end());
  return static_cast<size_t>(differs.first - tokens_.begin());
}

Result<std::unique_ptr<GenerationSession>> GenerationSession::fork() const {
  QUINTET_CHECK(check_idle());
  auto copy = std::unique_ptr<GenerationSession>(new GenerationSession(model_, cache_.shape()));
  copy->cache_ = cache_.fork();
  copy->tokens_ = tokens_;
  copy->logits_ = logits_;
  copy->logits_at_ = logits_at_;
  return copy;
}

Status GenerationSession::rewind(size_t length) {
  QUINTET_CHECK(check_idle());
  if (length > tokens_.size()) {
    return input_error(Reason::out_of_range, "cannot rewind to {} of {} tokens", length, tokens_.size());
  }
  generation_.reset();
  random_.reset();
  if (length < tokens_.size()) truncate(length);
  return {};
}

// Drops tokens and their computations.
void GenerationSession::truncate(size_t length) {
  tokens_.resize(length);
  if (logits_at_ > length) logits_at_ = 0;
  replaced_.clear();
  forget_computed(length);
}

// What a sliding window has freed and the states of recurrent layers cannot be restored: everything after the last
// checkpoint before `length` is computed again, or simply everything.
void GenerationSession::forget_computed(size_t length) {
  if (cache_.length() <= length || cache_.rewind(length)) return;
  if (!cache_.rewind(cache_.checkpoints().before(length))) cache_ = KvCache(cache_.shape());
}

void GenerationSession::keep_checkpoint() { cache_.keep_checkpoint(static_cast<size_t>(model_->context_length)); }

Result<size_t> GenerationSession::begin(std::span<const uint32_t> ids, bool replace) {
  QUINTET_CHECK(check_idle());
  QUINTET_CHECK(check_ids(ids, replace ? 0 : tokens_.size()));
  if (ids.empty() && (replace || tokens_.empty())) return input_error(Reason::missing, "there are no tokens");
  generation_.reset();
  replaced_.clear();
  if (replace) random_.reset();
  const size_t keep = replace ? common_begin(ids) : tokens_.size();
  const auto added = replace ? ids.subspan(keep) : ids;
  if (keep < tokens_.size()) truncate(keep);
  tokens_.insert(tokens_.end(), added.begin(), added.end());
  if (has_logits()) return size_t{0};
  // Logits are only kept for the last token, so it must be computed, possibly again.
  forget_computed(tokens_.size() - 1);
  keep_checkpoint();
  start_computing(keep);
  is_input_ = true;
  return tokens_.size() - cache_.length();
}

void GenerationSession::start_computing(size_t keep) {
  scoring_.reset();
  keep_ = keep;
  computing_ = true;
  is_input_ = false;
  // A single pass can be undone; several cannot.
  const bool passes = tokens_.size() - cache_.length() > Decoder::kMaxTokens;
  if (passes && cache_.shape().forgets()) kept_cache_ = cache_.fork();
}

Result<size_t> GenerationSession::step() {
  if (scoring_) return score();
  if (!computing_) return size_t{0};
  if (Status status = compute(); !status) {
    cancel();
    // Damaged weights are first noticed here.
    return in_format(failure_of(std::move(status)), name_of(model_->description.format));
  }
  return tokens_.size() - cache_.length();
}

Status GenerationSession::compute() {
  if (!in_pass_) QUINTET_CHECK(begin_pass());
  QUINTET_TRY(const bool complete, decoder_.step());
  if (!complete) return {};
  in_pass_ = false;
  const size_t left = tokens_.size() - cache_.length();
  // Before the last pass of an input: the next one may differ at the end, where templates ask for an answer, and the
  // logits after the same one need its last token.
  const bool is_end = is_input_ && left <= Decoder::kMaxTokens;
  if (is_end || cache_.length() - cache_.checkpoints().before(cache_.length()) >= kCheckpointTokens) keep_checkpoint();
  if (left != 0) return {};
  const auto logits = decoder_.logits();
  logits_.assign(logits.begin(), logits.end());
  logits_at_ = tokens_.size();
  computing_ = false;
  kept_cache_.reset();
  return {};
}

Status GenerationSession::begin_pass() {
  const auto waiting = std::span(tokens_).subspan(cache_.length());
  const auto some = waiting.first(std::min(waiting.size(), Decoder::kMaxTokens));
  QUINTET_CHECK(decoder_.begin(cache_, some, decoder::LogitsOf::last));
  in_pass_ = true;
  return {};
}

void GenerationSession::cancel() {
  if (computing_) {
    decoder_.cancel();
    if (kept_cache_ && cache_.length() > keep_) cache_ = std::move(*kept_cache_);
    kept_cache_.reset();
    computing_ = in_pass_ = false;
    truncate(keep_);
  } else if (scoring_ && !scoring_->done()) {
    decoder_.cancel();
    scoring_.reset();
  }
  if (marked_) return_to_mark();
}

Status GenerationSession::mark() {
  QUINTET_CHECK(check_idle());
  marked_ = Content{.cache = cache_.fork(),
                    .tokens = tokens_,
                    .logits = logits_,
                    .logits_at = logits_at_,
                    .random = random_,
                    .resumable = resumable_};
  return {};
}

void GenerationSession::return_to_mark() {
  generation_.reset();
  replaced_.clear();
  cache_ = std::move(marked_->cache);
  tokens_ = std::move(marked_->tokens);
  logits_ = std::move(marked_->logits);
  logits_at_ = marked_->logits_at;
  random_ = marked_->random;
  resumable_ = marked_->resumable;
  marked_.reset();
}

Result<std::span<const float>> GenerationSession::logits() const {
  if (has_logits()) return std::span<const float>(logits_);
  return input_error(Reason::out_of_range, "{}",
                     tokens_.empty() ? "the session is empty" : "the logits are not computed");
}

Result<size_t> GenerationSession::begin_scoring(std::span<const uint32_t> ids, bool after_held) {
  QUINTET_CHECK(check_idle());
  if (after_held) QUINTET_CHECK(check_computed());
  QUINTET_CHECK(check_ids(ids, after_held ? tokens_.size() : 0));
  if (ids.empty()) return input_error(Reason::missing, "there are no tokens");
  scoring_.emplace(decoder_, after_held ? cache_.fork() : KvCache(cache_.shape()),
                   static_cast<size_t>(model_->config.n_vocab), ids);
  return ids.size();
}

Result<size_t> GenerationSession::score() {
  auto left = scoring_->step();
  if (left) return left;
  cancel();
  return in_format(failure_of(std::move(left)), name_of(model_->description.format));
}

void warm_up(GenerationSession& session) {
  constexpr size_t kPrompt = 16;
  constexpr int kTokens = 4;
  constexpr uint32_t kAnyId = 0;
  compute(session, std::vector<uint32_t>(kPrompt, kAnyId), 4);
  for (int i = 0; i < kTokens; ++i) compute(session, {&kAnyId, 1}, 1);
}

}  // namespace quintet
