#pragma once
// The forward pass of a decoder: Llama (Touvron et al. 2023, arXiv:2302.13971) and the families of
// architectures/decoder/families.h, which differ from it by the parts of their layers. Tokens are computed in batches
// that share each pass over the weights, in steps of a few milliseconds, so that the caller can look up in between.
// What a position gives does not depend on how the tokens were cut into batches.

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

// Of which positions of a pass logits are computed.
enum class LogitsOf : uint8_t { last, all };

struct Pass;

class Decoder {
 public:
  // Most tokens of one pass: callers cut longer input.
  static constexpr size_t kMaxTokens = 64;

  Decoder(const DecoderConfig& config, const Weights& weights, const Kernels& kernels);
  ~Decoder();

  // Starts a pass over 1 to kMaxTokens tokens behind what the cache holds. An id outside the vocabulary is INPUT
  // (out_of_range), and nothing changes. The cache stays as it is until the pass is complete.
  Status begin(KvCache& cache, std::span<const uint32_t> ids, LogitsOf what);
  // Computes for at most about 10 ms; true when the pass is complete: the cache then holds the tokens.
  Result<bool> step();
  // Forgets the pass; the cache stays as it was.
  void cancel();

  // [n_vocab] of the last position, or [tokens][n_vocab], after the pass. Not finite: FORMAT from step() (NaN logits
  // mean broken weights; a token cannot be chosen from them).
  std::span<const float> logits() const;
  size_t workspace_bytes() const;

 private:
  std::unique_ptr<Pass> pass_;
};

}  // namespace quintet::decoder
