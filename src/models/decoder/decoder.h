#pragma once
// The forward pass of a decoder: Llama (Touvron et al. 2023, arXiv:2302.13971) and the families of
// architectures/decoder/families.h, whose layers have different parts. Tokens are computed in batches that share each
// pass over the weights, in steps of a few milliseconds, so that the caller can handle events in between. Several
// sequences may share a pass. The result of a position does not depend on how the tokens were divided into passes, nor
// on the other sequences.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/decoder/adapter.h"
#include "models/decoder/kv_cache.h"
#include "models/decoder/weights.h"

namespace quintet::decoder {

// The positions of a pass for which logits are computed.
enum class LogitsOf : uint8_t { none, last, all };

// Tokens of a sequence, and the cache that has those before them.
struct Sequence {
  KvCache* cache;
  std::span<const uint32_t> ids;
  LogitsOf what;
  const Adapters* adapters = nullptr;  // null: none
};

struct Pass;

class Decoder {
 public:
  // Maximum number of tokens of a pass: callers divide longer input.
  static constexpr size_t kMaxTokens = 64;

  Decoder(const DecoderConfig& config, const Weights& weights, const Kernels& kernels);
  ~Decoder();

  // Starts a pass over the tokens of sequences with different caches, kMaxTokens in all. The caches do not change until
  // the pass is complete. What cannot be computed has an error in status(), and does not hinder the others.
  void begin(std::span<const Sequence> sequences);
  // A pass over a single sequence; returns its status().
  Status begin(KvCache& cache, std::span<const uint32_t> ids, LogitsOf what);
  // Computes for at most about 10 ms. True when the pass is complete: the caches then contain the tokens of all
  // sequences without an error.
  bool step();
  // Discards the pass; the caches are unchanged.
  void cancel();
  // The caller no longer waits for a sequence, whose cache is as before the pass and may change. The others continue.
  void give_up(size_t sequence);

  // The outcome for a sequence, by its place in begin(). INPUT (out_of_range): no tokens, too many, an id outside the
  // vocabulary, or more positions than the model has. MEMORY. After the pass also FORMAT if its logits are not finite:
  // the weights are damaged, and no token can be chosen.
  const Status& status(size_t sequence = 0) const;
  // After the pass: [n_vocab] of the last position, [tokens][n_vocab] of all, or nothing.
  std::span<const float> logits(size_t sequence = 0) const;
  size_t workspace_bytes() const;

 private:
  std::unique_ptr<Pass> pass_;
  std::vector<Status> statuses_;
};

}  // namespace quintet::decoder
