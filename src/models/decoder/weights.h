#pragma once
// The weights of a decoder as plain structs, under the names that the papers give them. Which parts a block has decides
// its form, as the names in the file do (RULINGS "AMB" 8). Loading has checked that all are there in the shapes of the
// configuration; the forward pass relies on that.

#include <cstddef>
#include <optional>
#include <vector>

#include "base/aligned_buffer.h"
#include "models/linear.h"
#include "models/weight_matrix.h"

namespace quintet::decoder {

using Projection = BasicLinear<WeightMatrix>;

// With a beta it is a LayerNorm, without one an RMSNorm.
struct Norm {
  AlignedBuffer<float> gamma;  // [n_embd]
  AlignedBuffer<float> beta;   // [n_embd], or empty
};

struct Layer {
  Norm input_norm;
  Norm post_attention_norm;       // absent (empty gamma) in the phi-2 block
  std::optional<Projection> qkv;  // q, k, v in one (Phi-3), or
  std::optional<Projection> query, key, value;
  Projection attention_output;         // o_proj, dense
  std::optional<Projection> gate_up;   // gate then up in one (Phi-3), or
  std::optional<Projection> gate, up;  // (Llama, Mistral), or
  std::optional<Projection> fc1;       // (Phi-2)
  Projection down;                     // down_proj, fc2

  // Attention and MLP both read input_norm, and both are added to x.
  bool parallel() const { return fc1.has_value(); }
};

struct Weights {
  WeightMatrix embeddings;  // [n_vocab][n_embd]
  std::vector<Layer> layers;
  Norm final_norm;
  std::optional<Projection> output;  // [n_vocab][n_embd]; none: the embeddings are used (tied)

  size_t bytes() const;  // memory held
  // Of all block-quantized matrices: without them nothing can be computed (BlockMatrix::is_finite).
  bool have_finite_scales() const;
};

}  // namespace quintet::decoder
