#pragma once
// Attention inside one sequence (Vaswani et al. 2017, arXiv:1706.03762): of every token to all tokens, to those in a
// window around it, or to those before it.

#include <cstddef>

#include "architectures/encoder/config.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/encoder/distance_bias.h"
#include "models/encoder/relative_positions.h"
#include "models/encoder/weights.h"
#include "models/transformer/heads.h"
#include "models/transformer/rope_angles.h"

namespace quintet::encoder {

// One sequence of a packed batch.
struct Sequence {
  size_t begin;  // its first token in the batch
  size_t length;
  size_t keys = 0;  // the first tokens, which are all that attention sees; 0: no others

  size_t seen() const { return keys == 0 ? length : keys; }
};

// The buffers of a thread.
struct AttentionScratch {
  size_t bytes() const {
    return (scores.capacity() + key_panels.capacity() + value_panels.capacity()) * sizeof(float) + relative.bytes();
  }

  AlignedBuffer<float> scores;        // [rows of a block][longest sequence]
  AlignedBuffer<float> key_panels;    // K^T of one head, as the GEMM reads it
  AlignedBuffer<float> value_panels;  // V of one head
  RelativeScratch relative;
};

class Attention {
 public:
  Attention(const EncoderConfig& config, const Weights& weights, const Kernels& kernels);

  // Prepares for sequences of up to `longest` tokens.
  Status prepare(size_t longest);
  Status reserve(AttentionScratch& scratch, uint64_t longest) const;

  // Rotates the query [heads][head_dim] and the key [key_heads][head_dim] of a token.
  void rotate(const Heads& heads, size_t position, float* query, float* key) const;

  // context = softmax(scale Q K^T + bias) V for one head of one sequence. `qkv`
  // [tokens][qkv_width] and `context` [tokens][query_width] are those of the batch.
  void attend(size_t layer, const Sequence& sequence, size_t head, const float* qkv, float* context,
              AttentionScratch& scratch) const;
  size_t bytes() const { return angles_.bytes() + local_angles_.bytes() + bias_.bytes() + relative_.bytes(); }

 private:
  // Keys of a sequence: [begin, end).
  struct Span {
    size_t begin, end;
    size_t count() const { return end - begin; }
  };
  // The keys that a position sees among the first `seen` tokens of a sequence.
  Span seen_by(size_t position, size_t reach, size_t seen) const;
  void softmax(size_t row, size_t rows, const Span& keys, size_t reach, size_t seen, Rows scores) const;

  // The distance that a query sees in a layer to either side, or before it; 0: all.
  size_t reach_of(size_t layer) const {
    const auto window = static_cast<size_t>(config_.window_of(layer));
    return config_.is_causal && window != 0 ? window - 1 : window / 2;
  }

  const EncoderConfig& config_;
  const Kernels& kernels_;
  RopeAngles angles_;
  RopeAngles local_angles_;  // of layers with a window
  size_t prepared_ = 0;      // positions with known angles
  DistanceBias bias_;
  RelativePositions relative_;
};

}  // namespace quintet::encoder
