#pragma once
// A conversation with a decoder: the tokens that it holds, their KV cache over the model's weights, and the generation
// that goes on. All computing is done in steps of a few milliseconds, so that the caller can look up in between.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "models/decoder/decoder.h"
#include "runtime/generation/generated_text.h"
#include "runtime/generation/generation_options.h"
#include "runtime/generation/generator_model.h"
#include "runtime/generation/sampler.h"
#include "runtime/generation/scoring.h"
#include "runtime/kv/cache_content.h"
#include "runtime/kv/kv_cache_sink.h"

namespace quintet {

// Why a generation ends: a stop string is complete; maxTokens are given or the context is full; the model ends its
// answer.
enum class EndReason : uint8_t { stop, length, eos };

struct TokenProbability {
  uint32_t id = 0;
  std::string text;
  double logprob = 0;
};

struct GeneratedToken {
  std::optional<uint32_t> id;  // nothing where no token could be chosen any more: `text` was held back
  std::string text;            // whole characters that belong to the answer
  std::optional<double> logprob;
  std::vector<TokenProbability> top;  // best first
  std::optional<EndReason> reason;
};

class GenerationSession {
 public:
  // It keeps the model alive. UNSUPPORTED where the cache cannot keep the model's heads in the type it asks for.
  static Result<std::unique_ptr<GenerationSession>> create(std::shared_ptr<const GeneratorModel> model);

  // All tokens given to it and chosen by it, but for those that ended an answer (eos). The last ones may still wait to
  // be computed: those of begin(), and a chosen one.
  std::span<const uint32_t> tokens() const { return tokens_; }

  // A session with the same tokens, which shares the memory of their keys and values. INPUT during a computation.
  Result<std::unique_ptr<GenerationSession>> fork() const;
  // Forgets the tokens from `length` on. INPUT during a computation, for more than there are, and where a sliding
  // window has left behind what the position `length` sees.
  Status rewind(size_t length);

  // Starts to compute `ids` behind what it holds; with `replace` they become all that it holds, and of a common begin
  // only the last token may be computed again. Without ids it computes what still waits, or the last token where its
  // logits are not there. INPUT, and nothing changes, where ids are outside the vocabulary or do not fit the context,
  // or where there would be no token. Gives the number of tokens to compute, which is 0 where the logits are there.
  Result<size_t> begin(std::span<const uint32_t> ids, bool replace);
  // Computes for a few milliseconds and gives the number of tokens that are left; after an error as after cancel().
  Result<size_t> step();
  // Ends an incomplete computation. The ids of begin() are gone; a token that was chosen stays, and waits.
  void cancel();

  // [n_vocab] after what it holds. INPUT where they are not computed.
  Result<std::span<const float>> logits() const;

  // Starts to compute the tokens that still wait, without logits where none do. Gives their number.
  Result<size_t> begin_waiting();

  // What a KV cache file must fit to be restored here.
  kv::CacheTarget cache_target() const;
  // What it holds, for a KV cache file. `with_sampler`: also what the next choice needs, the logits where they are
  // there and the state of the random numbers after the last generation. INPUT while tokens wait or a computation is
  // incomplete.
  Result<kv::CacheContent> content(bool with_sampler) const;
  // Replaces all that it holds by what was read for cache_target(). `tokens` are those of the content, or where it has
  // none the caller's. `with_sampler`: the next generation that resumes goes on with the file's random numbers, and its
  // logits need not be computed. INPUT, and nothing changes, where tokens are missing, differ from those of the file,
  // or are not one a position; where the sampler is asked for and the file has none.
  Status restore(kv::CacheContent content, std::optional<std::vector<uint32_t>> tokens, bool with_sampler);

  // Starts to score a text instead, up to the length of the context; what the session holds is not touched.
  // `after_held`: given what it holds, of which nothing may wait.
  Result<size_t> begin_scoring(std::span<const uint32_t> ids, bool after_held);
  // The scoring of the last begin_scoring(), null where something else began since.
  const Scoring* scoring() const { return scoring_ ? &*scoring_ : nullptr; }

  // Starts to choose tokens after a prompt.
  Status start_generation(const GenerationOptions& options);
  // Other logits [n_vocab] for the next choice. INPUT for NaN and +infinity.
  Status set_logits(std::span<const float> logits);
  // Chooses the next token and begins to compute it, unless it comes with a reason. INPUT without a generation, after
  // its end, and before step() is through.
  Result<GeneratedToken> choose();

 private:
  struct Generation {
    Generation(const GenerationOptions& wanted, const Random& random, const TextCodec& codec, bool begins)
        : options(wanted), sampler(wanted.sampling, random), text(codec, wanted.stop, begins) {}

    GenerationOptions options;
    Sampler sampler;
    GeneratedText text;
    uint64_t count = 0;  // tokens chosen
    bool ended = false;
  };

  GenerationSession(std::shared_ptr<const GeneratorModel> model, const decoder::KvCache::Shape& shape);

  Status check_idle() const;
  Status check_computed() const;
  Status check_ids(std::span<const uint32_t> ids, size_t held) const;
  size_t common_begin(std::span<const uint32_t> ids) const;
  bool has_logits() const { return !tokens_.empty() && logits_at_ == tokens_.size(); }
  bool full() const { return tokens_.size() >= model_->context_length; }

  void truncate(size_t length);
  void forget_computed(size_t length);
  void start_computing(size_t keep);
  Status begin_pass();
  Status compute();
  Result<size_t> score();

  void take_token(GeneratedToken& token);
  Status tell_probabilities(GeneratedToken& token) const;
  std::string text_of(uint32_t id) const;

  std::shared_ptr<const GeneratorModel> model_;
  decoder::Decoder decoder_;
  decoder::KvCache cache_;
  std::vector<uint32_t> tokens_;
  std::vector<float> logits_;  // of the last position, where logits_at_ tokens were held
  size_t logits_at_ = 0;

  bool computing_ = false;
  bool in_pass_ = false;                        // the decoder has begun some of the tokens
  size_t keep_ = 0;                             // tokens that cancel() leaves
  std::optional<decoder::KvCache> kept_cache_;  // of a sliding window, which a rewind cannot bring back

  std::optional<Scoring> scoring_;
  std::optional<Generation> generation_;
  std::vector<float> replaced_;   // logits for the next choice, or empty
  std::optional<Random> random_;  // after the last choice for this text; not of what it was forked from
  bool resumable_ = false;        // random_ is a file's: the next generation may go on with it
};

// Engines compile a WebAssembly function well only once it has run for a while.
// Computes some tokens as a prompt and one after another, for less than 100 ms whatever the size of the model, so that
// the first answer does not start slowly. What it meets of errors the first use will meet again.
void warm_up(GenerationSession& session);

}  // namespace quintet
