// A session's choice of tokens.

#include <algorithm>

#include "runtime/generation/logits.h"
#include "runtime/generation/session.h"
#include "tokenizers/utf8_stream.h"

namespace quintet {

using decoder::Decoder;

bool GenerationSession::begins() const {
  return std::all_of(tokens_.begin(), tokens_.end(), [&](uint32_t id) { return model_->codec.is_special(id); });
}

Status GenerationSession::start_generation(const GenerationOptions& options) {
  if (!options.stop.empty() && !model_->codec.has_tokenizer())
    return unsupported_error("option stop needs a model with a tokenizer");
  if (options.logprobs && *options.logprobs > model_->config.n_vocab) {
    return input_error(Reason::out_of_range, "option logprobs: {} of a vocabulary of {}", *options.logprobs,
                       model_->config.n_vocab);
  }
  for (const auto [token, bias] : options.sampling.bias) {
    if (token < model_->config.n_vocab) continue;
    return input_error(Reason::out_of_range, "option logitBias: token {} of a vocabulary of {}", token,
                       model_->config.n_vocab);
  }
  std::vector<uint32_t> closing;
  if (options.reasoning) {
    const EncodeOptions as_written = {.add_bos = false, .parse_special = true};
    QUINTET_TRY(closing, model_->codec.encode(options.reasoning->closing, as_written));
  }
  const bool resumes = options.sampling.resumes && resumable_ && random_;
  if (!resumes) random_ = Random(options.sampling.seed);
  resumable_ = false;
  generation_.emplace(options, *random_, model_->codec, begins());
  if (options.reasoning) generation_->thoughts.emplace(*options.reasoning, std::move(closing));
  replaced_.clear();
  mask_.clear();
  return {};
}

std::span<uint32_t> GenerationSession::mask() {
  constexpr uint64_t kWordBits = 32;
  mask_.resize(static_cast<size_t>((model_->config.n_vocab + kWordBits - 1) / kWordBits));
  return mask_;
}

Status GenerationSession::check_generating() const {
  if (generation_ && !generation_->ended) return {};
  return input_error(Reason::out_of_range, "there is no generation in progress");
}

Status GenerationSession::set_logits(std::span<const float> logits) {
  if (logits.size() != model_->config.n_vocab) {
    return input_error(Reason::mismatch, "{} logits for a vocabulary of {}", logits.size(), model_->config.n_vocab);
  }
  QUINTET_CHECK(check_logits(logits));
  replaced_.assign(logits.begin(), logits.end());
  return {};
}

Result<GeneratedToken> GenerationSession::choose() {
  QUINTET_CHECK(check_generating());
  if (!has_logits() || computing_) return input_error(Reason::out_of_range, "the logits are not computed");
  GeneratedToken token;
  if (generation_->count >= generation_->options.max_tokens || full()) {
    generation_->ended = true;
    token.text = generation_->text.finish();
    token.reason = EndReason::length;
    return token;
  }
  token.id = generation_->thoughts ? generation_->thoughts->forced() : std::nullopt;
  if (!token.id) {
    QUINTET_TRY(token.id,
                generation_->sampler.choose(replaced_.empty() ? current_logits() : replaced_, tokens_, mask_));
  }
  replaced_.clear();
  mask_.clear();
  random_ = generation_->sampler.random();
  ++generation_->count;
  QUINTET_CHECK(tell_probabilities(token));
  take_token(token);
  return token;
}

Result<GeneratedToken> GenerationSession::finish() {
  QUINTET_CHECK(check_generating());
  generation_->ended = true;
  return GeneratedToken{
      .id = {}, .text = generation_->text.finish(), .logprob = {}, .top = {}, .reason = EndReason::eos};
}

// An end-of-sequence token does not become part of the session; every other token does, and is computed before the
// next.
void GenerationSession::take_token(GeneratedToken& token) {
  Generation& generation = *generation_;
  if (model_->codec.is_end(*token.id)) {
    token.reason = EndReason::eos;
  } else {
    token.was_guessed = is_right_guess(*token.id);
    if (!token.was_guessed) drop_guesses();
    tokens_.push_back(*token.id);
    if (token.was_guessed) {
      ++right_;
      logits_at_ = tokens_.size();
    }
    token.text = generation.text.push(*token.id);
    if (generation.thoughts) generation.thoughts->push(model_->codec.written(*token.id));
    if (generation.text.stopped()) {
      token.reason = EndReason::stop;
    } else if (generation.count == generation.options.max_tokens || full()) {
      token.reason = EndReason::length;
    }
  }
  if (token.reason && !generation.text.stopped()) token.text += generation.text.finish();
  generation.ended = token.reason.has_value();
  if (!generation.ended && !token.was_guessed) start_computing(tokens_.size());
}

Status GenerationSession::guess(std::span<const uint32_t> ids) {
  QUINTET_CHECK(check_generating());
  if (!computing_ || in_pass_) return {};
  const uint64_t choices = generation_->options.max_tokens - generation_->count;
  const uint64_t room = std::min<uint64_t>({choices, model_->context_length - tokens_.size(), Decoder::kMaxTokens - 1});
  ids = ids.first(static_cast<size_t>(std::min<uint64_t>(ids.size(), room)));
  guesses_.assign(ids.begin(), std::ranges::find_if(ids, [&](uint32_t id) { return id >= model_->config.n_vocab; }));
  return {};
}

bool GenerationSession::is_right_guess(uint32_t id) const { return right_ < guesses_.size() && guesses_[right_] == id; }

// Without the tokens that were computed for guesses.
decoder::KvCache GenerationSession::cache_of_tokens() const {
  decoder::KvCache cache = cache_.fork();
  if (cache.length() > tokens_.size() && !cache.rewind(tokens_.size())) return before_guesses_->fork();
  return cache;
}

// Undoes computations for guesses that are not tokens.
void GenerationSession::drop_guesses() {
  if (guesses_.empty()) return;
  const auto logits = current_logits();
  logits_.erase(std::copy(logits.begin(), logits.end(), logits_.begin()), logits_.end());
  // The tokens since then are computed again.
  if (!cache_.rewind(tokens_.size())) cache_ = std::move(*before_guesses_);
  forget_guesses();
}

void GenerationSession::forget_guesses() {
  guesses_.clear();
  right_ = 0;
  before_guesses_.reset();
}

// The probabilities of the model itself, before any options.
Status GenerationSession::tell_probabilities(GeneratedToken& token) const {
  if (!generation_->options.logprobs) return {};
  const auto logits = current_logits();
  const double normalizer = log_sum_exp(logits);
  token.logprob = double{logits[*token.id]} - normalizer;
  const auto wanted = static_cast<size_t>(*generation_->options.logprobs);
  if (wanted == 0) return {};
  std::vector<Candidate> best;
  QUINTET_CHECK(best_logits(logits, wanted, best));
  for (const Candidate& candidate : best) {
    token.top.push_back(
        {.id = candidate.id, .text = text_of(candidate.id), .logprob = double{candidate.logit} - normalizer});
  }
  return {};
}

std::string GenerationSession::text_of(uint32_t id) const {
  Utf8Stream characters;
  std::string text = characters.push(model_->codec.written(id));
  return text + characters.finish();
}

}  // namespace quintet
