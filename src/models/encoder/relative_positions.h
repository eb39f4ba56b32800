#pragma once
// The terms that disentangled attention (DeBERTa, He et al. 2020, arXiv:2006.03654; with the buckets of version 2) adds
// to the score of a query and a key for their distance: the products of the query with the key of the embedding of that
// distance, and of the key with its query. Every layer makes these keys and queries with its own matrices.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "architectures/encoder/config.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/encoder/weights.h"
#include "models/transformer/heads.h"

namespace quintet::encoder {

// The buffers of a thread.
struct RelativeScratch {
  size_t bytes() const { return (panels.capacity() + queries.capacity() + keys.capacity()) * sizeof(float); }

  AlignedBuffer<float> panels;   // the keys or queries of all buckets of one head, as the GEMM reads them
  AlignedBuffer<float> queries;  // [rows of a block][buckets]: products of queries with the keys of buckets
  AlignedBuffer<float> keys;     // [longest sequence][buckets]: products of keys with the queries of buckets
};

class RelativePositions {
 public:
  RelativePositions(const EncoderConfig& config, const Weights& weights, const Kernels& kernels);

  bool exists() const { return config_.relative_buckets != 0; }
  // For sequences of up to `longest` tokens: makes the keys and queries of all buckets that these have, in every layer.
  Status prepare(size_t longest);
  // `rows`: the maximum number of queries of a block.
  Status reserve(RelativeScratch& scratch, uint64_t rows, uint64_t longest) const;

  // For all keys [length][head_dim] of one head of a sequence, before its blocks of queries.
  void begin(size_t layer, size_t head, ConstRows keys, size_t length, RelativeScratch& scratch) const;
  // scores [rows][length] = what is added to the scaled products of these queries, the first of which is at `position`.
  void write(size_t layer, size_t head, ConstRows queries, size_t rows, size_t position, size_t length, Rows scores,
             RelativeScratch& scratch) const;

  size_t bytes() const;

 private:
  double last_distance_of(uint64_t bucket) const;
  Status project();
  // products [rows][buckets] of vectors of a head with the keys (`column` 0) or queries (1) of all buckets.
  void multiply(size_t layer, size_t head, size_t column, ConstRows vectors, size_t rows, float* products,
                RelativeScratch& scratch) const;

  const EncoderConfig& config_;
  const Weights& weights_;
  const Kernels& kernels_;
  Heads heads_;
  size_t longest_ = 0;
  size_t first_ = 0, count_ = 0;                 // the rows of the embeddings that distances below `longest_` have
  std::vector<uint32_t> rows_;                   // [2 * longest_ - 1], of query - key from the least: minus `first_`
  std::vector<AlignedBuffer<float>> projected_;  // of each layer: [count_][keys, then queries]
};

}  // namespace quintet::encoder
