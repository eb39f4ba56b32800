#include "runtime/generation/session.h"

#include <algorithm>

#include "models/decoder/decoder.h"

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

Result<std::unique_ptr<GenerationSession>> GenerationSession::create(std::shared_ptr<Batch> batch) {
  const GeneratorModel& model = *batch->model();
  QUINTET_TRY(const KvCache::Shape shape, decoder::kv_cache_shape(model.config, model.kv_types));
  return std::unique_ptr<GenerationSession>(new GenerationSession(std::move(batch), shape));
}

Result<std::unique_ptr<GenerationSession>> GenerationSession::create(std::shared_ptr<const GeneratorModel> model) {
  return create(std::make_shared<Batch>(std::move(model)));
}

GenerationSession::GenerationSession(std::shared_ptr<Batch> batch, const KvCache::Shape& shape)
    : batch_(std::move(batch)), model_(batch_->model()), cache_(shape) {}

Status GenerationSession::check_idle() const {
  if (!is_computing()) return {};
  return input_error(Reason::out_of_range, "a computation of this session is not complete");
}

Status GenerationSession::become_idle() {
  QUINTET_CHECK(check_idle());
  drop_guesses();
  return {};
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
  auto copy = std::unique_ptr<GenerationSession>(new GenerationSession(batch_, cache_.shape()));
  copy->cache_ = cache_of_tokens();
  copy->adapters_ = adapters_;
  copy->computed_with_ = computed_with_;
  copy->tokens_ = tokens_;
  if (has_logits()) {
    const auto logits = current_logits();
    copy->logits_.assign(logits.begin(), logits.end());
    copy->logits_at_ = logits_at_;
  }
  return copy;
}

size_t GenerationSession::reusable(std::span<const uint32_t> ids) const {
  const size_t common = std::min({common_begin(ids), cache_.length(), computed_alike()});
  KvCache cache = cache_.fork();
  return cache.rewind(common) ? common : cache.checkpoints().before(common);
}

Status GenerationSession::adopt(const GenerationSession& other) {
  QUINTET_CHECK(become_idle());
  scoring_.reset();
  generation_.reset();
  replaced_.clear();
  random_.reset();
  cache_ = other.cache_of_tokens();
  computed_with_ = other.computed_with_;
  const auto computed = std::span(other.tokens_).first(cache_.length());
  tokens_.assign(computed.begin(), computed.end());
  const bool has_logits = other.logits_at_ != 0 && other.logits_at_ == computed.size();
  if (has_logits) {
    const auto logits = other.current_logits();
    logits_.assign(logits.begin(), logits.end());
  }
  logits_at_ = has_logits ? computed.size() : 0;
  return {};
}

Status GenerationSession::use(decoder::Adapters adapters) {
  QUINTET_CHECK(check_idle());
  adapters_ = std::move(adapters);
  return {};
}

// The number of positions at the beginning that were computed as they would be now.
size_t GenerationSession::computed_alike() const {
  const auto other = std::ranges::find_if(computed_with_, [&](const auto& some) { return some.adapters != adapters_; });
  return other == computed_with_.end() ? SIZE_MAX : other->begin;
}

bool GenerationSession::has_adapted() const {
  return std::ranges::any_of(computed_with_,
                             [&](const auto& some) { return !some.adapters.empty() && some.begin < cache_.length(); });
}

Status GenerationSession::rewind(size_t length) {
  QUINTET_CHECK(become_idle());
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

// Rows that a sliding window has freed and states of recurrent layers cannot be restored: everything after the last
// checkpoint before `length` is computed again, or simply everything.
void GenerationSession::forget_computed(size_t length) {
  if (cache_.length() <= length || cache_.rewind(length)) return;
  if (!cache_.rewind(cache_.checkpoints().before(length))) cache_ = KvCache(cache_.shape());
}

void GenerationSession::keep_checkpoint() { cache_.keep_checkpoint(static_cast<size_t>(model_->context_length)); }

Result<size_t> GenerationSession::begin(std::span<const uint32_t> ids, bool replace) {
  QUINTET_CHECK(become_idle());
  QUINTET_CHECK(check_ids(ids, replace ? 0 : tokens_.size()));
  if (ids.empty() && (replace || tokens_.empty())) return input_error(Reason::missing, "there are no tokens");
  generation_.reset();
  replaced_.clear();
  if (replace) random_.reset();
  const size_t keep = replace ? std::min(common_begin(ids), computed_alike()) : tokens_.size();
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
  failure_ = {};
  keep_ = keep;
  computing_ = true;
  is_input_ = false;
  while (computed_with_.size() > 1 && computed_with_.back().begin >= cache_.length()) computed_with_.pop_back();
  if (cache_.length() == 0) computed_with_ = {{.adapters = adapters_}};
  if (computed_with_.back().adapters != adapters_) computed_with_.push_back({cache_.length(), adapters_});
  // A single pass can be undone; several cannot.
  const bool may_pass_often = tokens_.size() - cache_.length() > 1;
  if (may_pass_often && cache_.shape().forgets()) kept_cache_ = cache_.fork();
  batch_->join(*this);
}

Result<size_t> GenerationSession::step() {
  if (is_computing()) batch_->step();
  return left();
}

Result<size_t> GenerationSession::left() {
  Result<size_t> left = scoring_ ? scoring_->left() : Result<size_t>(tokens_.size() - cache_.length());
  if (!left) {
    cancel();
  } else if (!failure_) {
    left = failure_of(std::exchange(failure_, {}));
  } else {
    return computing_ || scoring_ ? *left : 0;
  }
  // Damaged weights are first noticed here.
  return in_format(failure_of(std::move(left)), name_of(model_->description.format));
}

Batch::Member::Waiting GenerationSession::waiting() {
  in_pass_ = true;
  const auto tokens = std::span(tokens_).subspan(cache_.length());
  Waiting waiting = {
      .cache = &cache_, .ids = tokens, .max_tokens = Decoder::kMaxTokens, .wants_all = false, .adapters = &adapters_};
  if (!guesses_.empty()) {
    with_guesses_.assign(tokens.begin(), tokens.end());
    with_guesses_.insert(with_guesses_.end(), guesses_.begin(), guesses_.end());
    if (cache_.shape().forgets()) before_guesses_ = cache_.fork();
    waiting.ids = with_guesses_;
    waiting.wants_all = true;
  }
  return waiting;
}

void GenerationSession::passed(std::span<const float> logits) {
  in_pass_ = false;
  const size_t guessed = std::max(cache_.length(), tokens_.size()) - tokens_.size();
  const size_t left = tokens_.size() + guessed - cache_.length();
  // Before the last pass of an input: the next one may differ at the end, where templates ask for an answer, and the
  // logits after the same one need its last token.
  const bool is_end = is_input_ && left <= Decoder::kMaxTokens;
  if (is_end || cache_.length() - cache_.checkpoints().before(cache_.length()) >= kCheckpointTokens) keep_checkpoint();
  if (left != 0) return;
  keep_logits(logits, guessed);
  computing_ = false;
  kept_cache_.reset();
  batch_->leave(*this);
}

void GenerationSession::failed(Failure failure) {
  if (!guesses_.empty()) {
    // The guesses may be what cannot be computed: tries again without them.
    forget_guesses();
    in_pass_ = false;
    batch_->join(*this);
    return;
  }
  cancel();
  failure_ = std::move(failure);
}

// Keeps the logits of the last token and of the guesses after it.
void GenerationSession::keep_logits(std::span<const float> logits, size_t guessed) {
  guesses_.resize(guessed);
  const size_t wanted = (1 + guessed) * static_cast<size_t>(model_->config.n_vocab);
  logits_.assign(logits.end() - static_cast<ptrdiff_t>(wanted), logits.end());
  logits_at_ = tokens_.size();
}

void GenerationSession::cancel() {
  if (computing_) {
    batch_->leave(*this);
    if (kept_cache_ && cache_.length() > keep_) cache_ = std::move(*kept_cache_);
    kept_cache_.reset();
    computing_ = in_pass_ = false;
    forget_guesses();
    truncate(keep_);
  } else if (scoring_ && !scoring_->done()) {
    scoring_.reset();
  }
  if (marked_) return_to_mark();
}

Status GenerationSession::mark() {
  QUINTET_CHECK(become_idle());
  marked_ = Content{.cache = cache_.fork(),
                    .tokens = tokens_,
                    .logits = logits_,
                    .logits_at = logits_at_,
                    .random = random_,
                    .resumable = resumable_,
                    .computed_with = computed_with_};
  return {};
}

void GenerationSession::return_to_mark() {
  generation_.reset();
  replaced_.clear();
  forget_guesses();
  cache_ = std::move(marked_->cache);
  tokens_ = std::move(marked_->tokens);
  logits_ = std::move(marked_->logits);
  logits_at_ = marked_->logits_at;
  random_ = marked_->random;
  resumable_ = marked_->resumable;
  computed_with_ = std::move(marked_->computed_with);
  marked_.reset();
}

Result<std::span<const float>> GenerationSession::logits() const {
  if (has_logits()) return current_logits();
  return input_error(Reason::out_of_range, "{}",
                     tokens_.empty() ? "the session is empty" : "the logits are not computed");
}

Result<size_t> GenerationSession::begin_scoring(std::span<const uint32_t> ids, bool after_held) {
  QUINTET_CHECK(become_idle());
  if (after_held) QUINTET_CHECK(check_computed());
  QUINTET_CHECK(check_ids(ids, after_held ? tokens_.size() : 0));
  if (ids.empty()) return input_error(Reason::missing, "there are no tokens");
  failure_ = {};
  scoring_.emplace(*batch_, after_held ? cache_.fork() : KvCache(cache_.shape()), ids, adapters_);
  return ids.size();
}

void warm_up(GenerationSession& session) {
  constexpr size_t kPrompt = 16;
  constexpr int kTokens = 4;
  constexpr uint32_t kAnyId = 0;
  compute(session, std::vector<uint32_t>(kPrompt, kAnyId), 4);
  for (int i = 0; i < kTokens; ++i) compute(session, {&kAnyId, 1}, 1);
}

}  // namespace quintet
