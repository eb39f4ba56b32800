#pragma once
// Scaled dot-product attention (Vaswani et al. 2017, arXiv:1706.03762) over a KV cache in its stored form, with grouped
// queries (Ainslie et al. 2023, arXiv:2305.13245): the heads of a group and several tokens are the rows of one product
// with the keys of their head.

#include <cstddef>
#include <cstdint>

#include "architectures/decoder/config.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/decoder/kv_cache.h"
#include "models/transformer/heads.h"

namespace quintet::decoder {

class Attention {
 public:
  // Some tokens at consecutive positions, whose keys and values are already in the cache.
  struct Tokens {
    size_t position;    // of the first
    size_t count;       // at most tokens_at_once()
    ConstRows queries;  // [count][heads][head_dim]
    Rows context;       // likewise
  };

  Attention(const DecoderConfig& config, const Kernels& kernels);

  // The number of tokens to process together in one pass over the keys.
  static size_t tokens_at_once(const Heads& heads);
  // The maximum number of multiply-adds of tokens_at_once() tokens below position `end`, for one head of keys.
  static uint64_t multiply_adds(const KvCache::Shape& shape, const Heads& heads, size_t end);

  // The values of the buffers for tokens below position `end` of a cache.
  struct BufferSizes {
    BufferSizes(const DecoderConfig& config, const KvCache::Shape& shape, size_t end);

    uint64_t sum() const { return 2 * queries + scores; }

    uint64_t queries, scores;
  };
  // Reserves memory for them.
  Status reserve(const KvCache::Shape& shape, size_t end);
  // context = softmax(scale Q K^T) V, with the scores capped before the softmax if the model does that, for the heads
  // that share a head of keys and values. Each token sees itself and previous tokens, as far as the window extends.
  void attend(const KvCache& cache, const Heads& heads, size_t kv_head, const Tokens& tokens);
  size_t bytes() const { return (queries_.capacity() + mixed_.capacity() + scores_.capacity()) * sizeof(float); }

 private:
  void gather_queries(const Heads& heads, size_t kv_head, const Tokens& tokens);
  void scatter_mixed(const Heads& heads, size_t kv_head, const Tokens& tokens) const;
  void masked_softmax(const KvCache::Shape& shape, const Heads& heads, const Tokens& tokens, Rows scores);

  const DecoderConfig& config_;
  const Kernels& kernels_;

  // Rows are ordered by token, then by head of the group.
  AlignedBuffer<float> queries_;  // [rows][head_dim]
  AlignedBuffer<float> mixed_;    // [rows][head_dim]
  AlignedBuffer<float> scores_;   // [rows][positions seen by any of the tokens]
};

}  // namespace quintet::decoder
