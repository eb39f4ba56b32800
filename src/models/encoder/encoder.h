#pragma once
// The forward pass of a BERT encoder over a packed batch: the tokens of all sequences are consecutive,
// [tokens][hidden], without padding. The linear layers process one tall matrix; attention stays inside each sequence.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "architectures/encoder/config.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "base/task.h"
#include "kernels/kernels.h"
#include "models/encoder/weights.h"
#include "models/pace.h"

namespace quintet::encoder {

// One sequence of a packed batch.
struct Sequence {
  size_t begin;  // its first token in the batch
  size_t length;
};

// A pass is computed layer by layer, so that the caller can handle events in between.
class Encoder {
 public:
  Encoder(const EncoderConfig& config, const Weights& weights, const Kernels& kernels)
      : config_(config), weights_(weights), kernels_(kernels) {}
  Encoder(const Encoder&) = delete;  // a pass in progress refers to its encoder

  // Embeds the tokens. Sequences must have 1 to max_positions tokens and cover `ids`, whose values must be in the
  // vocabulary; otherwise an error, and nothing changes.
  Status begin(std::span<const uint32_t> ids, std::span<const Sequence> sequences);
  // Computes one more layer; true when that was the last one.
  bool step() { return pace_.step(); }

  std::span<const Sequence> sequences() const { return sequences_; }
  // [tokens][hidden]: after the last step, the encoder's output.
  const float* hidden() const { return hidden_.data(); }
  size_t workspace_bytes() const;

 private:
  // The buffers of a thread.
  struct Scratch {
    size_t bytes() const;

    AlignedBuffer<float> intermediate;  // [rows of a block][intermediate]
    AlignedBuffer<float> scores;        // [rows of a block][longest sequence]
    AlignedBuffer<float> key_panels;    // K^T of one head, as the GEMM reads it
    AlignedBuffer<float> value_panels;  // V of one head
    LinearScratch linear;
  };
  // Some of the rows.
  struct Block {
    size_t begin, rows;
    LinearInput input;
    float* intermediate;
  };

  using ComputeBlock = void (Encoder::*)(const Layer&, Block&);
  struct Parts;

  Status reserve(size_t tokens, size_t longest);
  Status reserve_attention(Scratch& scratch, uint64_t longest) const;
  Status reserve_block(Scratch& scratch, size_t rows) const;
  Task<> run();
  void embed(std::span<const uint32_t> ids);
  void for_each_block(const Layer& layer, ComputeBlock compute);
  void query_key_value(const Layer& layer, Block& block);
  void attend(const Sequence& sequence, size_t head, Scratch& scratch);
  void feed_forward(const Layer& layer, Block& block);
  void normalize(const LayerNorm& norm, float* rows, size_t count);

  const EncoderConfig& config_;
  const Weights& weights_;
  const Kernels& kernels_;

  std::vector<Sequence> sequences_;
  size_t tokens_ = 0;
  std::optional<Task<>> pass_;
  Pace pace_;

  AlignedBuffer<float> hidden_;   // [tokens][hidden]
  AlignedBuffer<float> qkv_;      // [tokens][3 * hidden]
  AlignedBuffer<float> context_;  // [tokens][hidden]
  std::vector<Scratch> scratch_;  // one per thread
};

}  // namespace quintet::encoder
