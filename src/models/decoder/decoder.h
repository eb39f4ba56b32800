#pragma once
// The forward pass of a decoder: Llama (Touvron et al. 2023, arXiv:2302.13971) and the families of
// architectures/decoder/families.h, whose layers have different parts. Tokens are computed in batches that share each
// pass over the weights, in steps of a few milliseconds, so that the caller can handle events in between. The result of
// a position does not depend on how the tokens were divided into batches.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/decoder/kv_cache.h"
#include "models/decoder/weights.h"

namespace quintet::decoder {

// The positions of a pass for which logits are computed.
enum class LogitsOf : uint8_t { last, all };

struct Pass;

class Decoder {
 public:
  // Maximum number of tokens of a pass: callers divide longer input.
  static constexpr size_t kMaxTokens = 64;

  Decoder(const DecoderConfig& config, const Weights& weights, const Kernels& kernels);
  ~Decoder();

  // Starts a pass over 1 to kMaxTokens tokens after the content of the cache. An id outside the vocabulary is INPUT
  // (out_of_range), and nothing changes. The cache does not change until the pass is complete.
  Status begin(KvCache& cache, std::span<const uint32_t> ids, LogitsOf what);
  // Computes for at most about 10 ms. True when the pass is complete: the cache then contains the tokens.
  Result<bool> step();
  // Discards the pass; the cache is unchanged.
  void cancel();

  // [n_vocab] for the last position, or [tokens][n_vocab], after the pass. If they are not finite, step() returns
  // FORMAT: NaN logits mean damaged weights, and no token can be chosen from them.
  std::span<const float> logits() const;
  size_t workspace_bytes() const;

 private:
  std::unique_ptr<Pass> pass_;
};

}  // namespace quintet::decoder
