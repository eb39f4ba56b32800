#pragma once
// The forward pass of an encoder over a packed batch: the tokens of all sequences are consecutive,
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
#include "models/encoder/attention.h"
#include "models/encoder/weights.h"
#include "models/pace.h"
#include "models/packed_projection.h"
#include "models/transformer/heads.h"
#include "models/transformer/mixture.h"
#include "models/transformer/rows.h"

namespace quintet::encoder {

// A pass is computed layer by layer, so that the caller can handle events in between.
class Encoder {
 public:
  Encoder(const EncoderConfig& config, const Weights& weights, const Kernels& kernels)
      : config_(config),
        embd_(static_cast<size_t>(config.n_embd)),
        ff_(static_cast<size_t>(config.n_ff)),
        weights_(weights),
        kernels_(kernels),
        attention_(config, weights, kernels) {}
  Encoder(const Encoder&) = delete;  // a pass in progress refers to its encoder

  // Embeds the tokens. Sequences must have 1 to max_tokens() tokens and cover `ids`, whose values must be in the
  // vocabulary; otherwise an error, and nothing changes. `types`: of the tokens, one each; empty: all 0. A network
  // without token types ignores them.
  Status begin(std::span<const uint32_t> ids, std::span<const Sequence> sequences, std::span<const uint8_t> types = {});
  // INPUT if begin() would not accept these ids and types.
  Status check(std::span<const uint32_t> ids, std::span<const uint8_t> types) const;
  // Computes one more layer; returns true when that was the last one.
  bool step() { return pace_.step(); }

  std::span<const Sequence> sequences() const { return sequences_; }
  // [tokens][hidden]: after the last step, the encoder's output.
  const float* hidden() const { return hidden_.data(); }
  size_t workspace_bytes() const;

 private:
  // The buffers of a thread.
  struct Scratch {
    size_t bytes() const;

    AlignedBuffer<float> intermediate;  // [rows of a block][intermediate], twice as wide with a gate
    AlignedBuffer<float> rows;          // [rows of a block][hidden]: normalized, a branch, or the input of the layer
    AttentionScratch attention;
    ProjectionScratch projection;
    Mixture mixture;  // of layers with experts
  };
  // Rows that one thread takes through a layer, with its buffers.
  struct Block {
    size_t begin, rows;
    PackedProjection projection;
    Rows x;             // of hidden_
    Rows intermediate;  // of Scratch::intermediate
    Rows extra;         // of Scratch::rows
    Mixture* mixture;
    Heads heads;  // of the layer
  };

  using ComputeBlock = void (Encoder::*)(size_t layer, Block&);
  struct Parts;

  Status reserve(size_t tokens, size_t longest);
  Status reserve_block(Scratch& scratch, size_t rows) const;
  Task<> run();
  void embed(std::span<const uint32_t> ids, std::span<const uint8_t> types);
  void for_each_block(size_t layer, ComputeBlock compute);
  void query_key_value(size_t layer, Block& block);
  void normalize_heads(const Layer& layer, const Heads& heads, float* row) const;
  void feed_forward(size_t layer, Block& block);
  void add_mixer(const Layer& layer, Block& block);
  void convolve(const Module& kernels, const Block& block);
  void add_mlp(const Layer& layer, Block& block, const Activations& h) const;
  void add_experts(const Layer& layer, Block& block, const Activations& h) const;
  void add_expert(uint32_t number, const Layer::Expert& expert, Block& block, const Activations& h) const;
  void make_layer_inputs(const Rows& x);
  void add_layer_input(size_t index, Block& block) const;
  Activations hidden_part(const Module& up, const Block& block, const Activations& h) const;
  Activations gated_hidden_part(const Layer& layer, const Block& block, const Activations& h) const;
  void add_extra(Block& block) const;
  void add_branch(const Module& output, const Module& norm, const Activations& in, Block& block) const;
  Activations normalized(const Module& norm, const Block& block) const;
  NormRows* norm_kernel() const;
  void normalize_row(const Module& norm, std::span<float> row) const;
  void normalize(const Module& norm, const Rows& x, size_t rows, const Rows& y) const;
  void embed_word(uint32_t id, float* x) const;
  bool needs_rows() const;

  const EncoderConfig& config_;
  size_t embd_, ff_;  // widths of the hidden states, and of the hidden part of an MLP
  const Weights& weights_;
  const Kernels& kernels_;
  Attention attention_;

  std::vector<Sequence> sequences_;
  std::vector<size_t> positions_;  // of the tokens in their sequences
  size_t tokens_ = 0;
  std::optional<Task<>> pass_;
  Pace pace_;

  AlignedBuffer<float> hidden_;        // [tokens][hidden]
  AlignedBuffer<float> embedded_;      // [tokens][embedding], if a linear layer projects them
  AlignedBuffer<float> qkv_;           // [tokens][qkv_width], or the gates and values of a convolution
  AlignedBuffer<float> context_;       // [tokens][query_width], or the result of a convolution
  AlignedBuffer<float> layer_inputs_;  // [tokens][layers][layer_input_width]
  std::vector<float> ones_;            // [head_dim]: a norm of values, which has no weights
  std::vector<Scratch> scratch_;       // one per thread
};

}  // namespace quintet::encoder
