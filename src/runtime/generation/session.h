#pragma once
// A session of a decoder: its tokens, their KV cache, and the current generation. Everything is computed in steps of a
// few milliseconds, so that the caller can handle events in between.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "models/decoder/kv_cache.h"
#include "runtime/generation/batch.h"
#include "runtime/generation/generated_text.h"
#include "runtime/generation/generation_options.h"
#include "runtime/generation/generator_model.h"
#include "runtime/generation/sampler.h"
#include "runtime/generation/scoring.h"
#include "runtime/generation/thought_budget.h"
#include "runtime/kv/cache_content.h"
#include "runtime/kv/kv_cache_sink.h"

namespace quintet {

// Why a generation ends: a stop string is complete; maxTokens were generated or the context is full; the model chose an
// end-of-sequence token.
enum class EndReason : uint8_t { stop, length, eos };

struct TokenProbability {
  uint32_t id = 0;
  std::string text;
  double logprob = 0;
};

struct GeneratedToken {
  std::optional<uint32_t> id;  // absent if no token could be chosen any more: `text` was held back
  std::string text;            // whole characters of the generated text
  std::optional<double> logprob;
  std::vector<TokenProbability> top;  // best first
  std::optional<EndReason> reason;
  bool was_guessed = false;  // guess() had it: nothing is left to compute before the next choice
};

class GenerationSession final : private Batch::Member {
 public:
  // Sessions of one batch compute together. The session keeps it and its model alive. UNSUPPORTED if the cache cannot
  // store the model's heads in the requested type.
  static Result<std::unique_ptr<GenerationSession>> create(std::shared_ptr<Batch> batch);
  // Computes alone.
  static Result<std::unique_ptr<GenerationSession>> create(std::shared_ptr<const GeneratorModel> model);
  ~GenerationSession() { batch_->leave(*this); }
  GenerationSession(const GenerationSession&) = delete;
  GenerationSession& operator=(const GenerationSession&) = delete;

  // All tokens of the session, except those that ended a generation (eos). The last ones may still be pending: those of
  // begin(), and a chosen one.
  std::span<const uint32_t> tokens() const { return tokens_; }

  // Sets the adapters for everything computed from now on; earlier results stay. begin() with `replace` keeps nothing
  // that was computed with others. INPUT during a computation.
  Status use(decoder::Adapters adapters);

  // Whether only special tokens precede what comes next.
  bool begins() const;

  // A session with the same tokens that shares the memory of their keys and values. INPUT during a computation.
  Result<std::unique_ptr<GenerationSession>> fork() const;
  // Drops the tokens from `length` on. If the cache cannot be cut there, as many of the tokens before it as necessary
  // are pending again. INPUT during a computation, or if there are fewer tokens.
  Status rewind(size_t length);

  // The number of leading ids that need not be computed after those that this session has computed.
  size_t reusable(std::span<const uint32_t> ids) const;
  // Replaces the content with what another session of the model has computed, which may be computing more. INPUT during
  // a computation of this one.
  Status adopt(const GenerationSession& other);

  // Starts to compute `ids` after the content of the session. With `replace` they become the whole content; of the
  // common prefix at most the last token is computed again, or what follows the place to which the cache can go back.
  // Without ids it computes pending tokens, or the last token
  // if its logits are missing. INPUT, without a change, if ids are outside the vocabulary or do not fit the context, or
  // if the session would be empty. Returns the number of tokens to compute, which is 0 if the logits are available.
  Result<size_t> begin(std::span<const uint32_t> ids, bool replace);
  // The number of tokens that are left to compute. An error of their computation is returned once; the session is then
  // as after cancel().
  Result<size_t> left();
  // Computes for a few milliseconds, with the others of the batch, and returns left().
  Result<size_t> step();
  // Cancels an incomplete computation. The ids of begin() are removed; a chosen token stays and is pending. After
  // mark() everything since then is undone.
  void cancel();
  // Remembers the content of the session, with its logits and random state, until cancel() or settle(). INPUT during a
  // computation.
  Status mark();
  // Makes everything since mark() final.
  void settle() { marked_.reset(); }

  // [n_vocab] after the content of the session. INPUT if they are not computed.
  Result<std::span<const float>> logits() const;

  // Starts to compute pending tokens, without their logits if there are none. Returns their number.
  Result<size_t> begin_waiting();

  // The properties that a KV cache file must have to be restored here.
  kv::CacheTarget cache_target() const;
  // The content of the session for a KV cache file. `with_sampler`: also what the next choice needs: the logits if they
  // are available, and the random state after the last generation. INPUT while tokens are pending or a computation is
  // incomplete.
  Result<kv::CacheContent> content(bool with_sampler) const;
  // Replaces the content of the session with what was read for cache_target(). `tokens` are those of the file or, if it
  // has none, the caller's. `with_sampler`: the next generation that resumes continues the file's random state, and its
  // logits need not be computed. INPUT, without a change, if tokens are missing, differ from those of the file, or are
  // not one per position; or if the sampler is requested and the file has none.
  Status restore(kv::CacheContent content, std::optional<std::vector<uint32_t>> tokens, bool with_sampler);

  // Starts to score a text instead, up to the context length; the content of the session is unchanged. `after_held`:
  // given the content, of which no token may be pending.
  Result<size_t> begin_scoring(std::span<const uint32_t> ids, bool after_held);
  // The scoring of the last begin_scoring(), null if something else began since.
  Scoring* scoring() { return scoring_ ? &*scoring_ : nullptr; }

  // Starts to choose tokens after a prompt.
  Status start_generation(const GenerationOptions& options);
  // Replaces the logits [n_vocab] for the next choice. INPUT for NaN and +infinity.
  Status set_logits(std::span<const float> logits);
  // The bits of the tokens that the next choice may take, to be filled: one for each of the vocabulary, the lowest of
  // the first word first. Without a call of this, all are allowed.
  std::span<uint32_t> mask();
  // Chooses the next token and starts to compute it, unless it comes with a reason. INPUT without a generation, after
  // its end, and before step() is complete.
  Result<GeneratedToken> choose();
  // After choose(), before step(): guesses of what is chosen next, one after another. They are computed in one pass
  // with the chosen token, so that choose() needs no more passes as long as they are right (speculative decoding:
  // Leviathan et al. 2023, arXiv:2211.17192). It chooses as without them. Guesses beyond the context, the maximum
  // number of tokens, a pass or the vocabulary are left out; without effect once the pass has begun. INPUT without a
  // generation or after its end.
  Status guess(std::span<const uint32_t> ids);
  // Ends the generation where its text is complete, as if the model had chosen an end-of-sequence token. INPUT without
  // a generation or after its end.
  Result<GeneratedToken> finish();

 private:
  struct Generation {
    Generation(const GenerationOptions& wanted, const Random& random, const TextCodec& codec, bool begins)
        : options(wanted),
          sampler(wanted.sampling, random, [&codec](uint32_t id) { return codec.written(id); }),
          text(codec, wanted.stop, begins) {}

    GenerationOptions options;
    Sampler sampler;
    std::optional<ThoughtBudget> thoughts;  // absent: of any length
    GeneratedText text;
    uint64_t count = 0;  // number of chosen tokens
    bool ended = false;
  };

  // The positions from `begin` on, up to those of the next.
  struct ComputedWith {
    size_t begin = 0;
    decoder::Adapters adapters = {};
  };

  // The content that mark() remembers.
  struct Content {
    decoder::KvCache cache;
    std::vector<uint32_t> tokens;
    std::vector<float> logits;
    size_t logits_at = 0;
    std::optional<Random> random;
    bool resumable = false;
    std::vector<ComputedWith> computed_with;
  };

  GenerationSession(std::shared_ptr<Batch> batch, const decoder::KvCache::Shape& shape);

  Waiting waiting() override;
  void passed(std::span<const float> logits) override;
  void failed(Failure failure) override;

  Status check_idle() const;
  // Also drops the guesses that were not chosen.
  Status become_idle();
  Status check_generating() const;
  Status check_computed() const;
  Status check_ids(std::span<const uint32_t> ids, size_t held) const;
  size_t common_begin(std::span<const uint32_t> ids) const;
  bool has_logits() const { return !tokens_.empty() && logits_at_ == tokens_.size(); }
  bool full() const { return tokens_.size() >= model_->context_length; }

  // The logits after all tokens, of the rows that guesses add.
  std::span<const float> current_logits() const {
    const auto vocabulary = static_cast<size_t>(model_->config.n_vocab);
    return std::span(logits_).subspan(right_ * vocabulary, vocabulary);
  }

  size_t computed_alike() const;
  bool has_adapted() const;
  void truncate(size_t length);
  void forget_computed(size_t length);
  void keep_checkpoint();
  void start_computing(size_t keep);
  bool is_computing() const { return computing_ || (scoring_ && !scoring_->done()); }
  void return_to_mark();

  void keep_logits(std::span<const float> logits, size_t guessed);
  decoder::KvCache cache_of_tokens() const;
  bool is_right_guess(uint32_t id) const;
  void drop_guesses();
  void forget_guesses();
  void take_token(GeneratedToken& token);
  Status tell_probabilities(GeneratedToken& token) const;
  std::string text_of(uint32_t id) const;

  std::shared_ptr<Batch> batch_;
  std::shared_ptr<const GeneratorModel> model_;
  decoder::KvCache cache_;
  decoder::Adapters adapters_;
  std::vector<ComputedWith> computed_with_ = {{}};  // never empty; the last may begin after what is computed
  std::vector<uint32_t> tokens_;
  std::vector<float> logits_;  // [1 + guesses][n_vocab] of the last position, when there were logits_at_ tokens
  size_t logits_at_ = 0;

  std::vector<uint32_t> guesses_;                   // in the cache, or in the pass that is to be computed
  size_t right_ = 0;                                // how many of them are tokens by now
  std::optional<decoder::KvCache> before_guesses_;  // of a sliding window or recurrent layers, which forget

  std::vector<uint32_t> with_guesses_;  // the tokens of a pass

  bool computing_ = false;
  bool in_pass_ = false;                        // whether a pass computes some of the tokens
  size_t keep_ = 0;                             // number of tokens that cancel() keeps
  bool is_input_ = false;                       // whether these are the tokens of begin()
  std::optional<decoder::KvCache> kept_cache_;  // of a sliding window or recurrent layers, which forget
  Status failure_;                              // of a computation, until left() returns it
  std::optional<Content> marked_;

  std::optional<Scoring> scoring_;
  std::optional<Generation> generation_;
  std::vector<float> replaced_;   // logits for the next choice; empty if not replaced
  std::vector<uint32_t> mask_;    // for the next choice; empty to allow all tokens
  std::optional<Random> random_;  // after the last choice in this session, not in the one it was forked from
  bool resumable_ = false;        // whether random_ is from a file and the next generation may continue it
};

// Engines optimize a WebAssembly function only after it has run for a while. Computes some tokens as a prompt and one
// by one, for less than 100 ms with a model of any size, so that the first generation does not start slowly. Errors are
// ignored: the first use will report them.
void warm_up(GenerationSession& session);

}  // namespace quintet
