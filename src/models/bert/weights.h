#pragma once
// The weights of a BERT encoder (Devlin et al. 2018, arXiv:1810.04805), as plain structs. Loading has checked that all
// are there in the shapes of the configuration; the forward pass relies on that.

#include <cstddef>
#include <vector>

#include "base/aligned_buffer.h"
#include "models/linear.h"
#include "tensor/packed/row_table.h"

namespace quintet::bert {

struct Config {
  size_t vocab_size = 0;
  size_t hidden = 0;
  size_t layers = 0;
  size_t heads = 0;
  size_t intermediate = 0;
  size_t max_positions = 0;
  float layer_norm_epsilon = 1e-12F;

  size_t head_dim() const { return hidden / heads; }
};

struct LayerNorm {
  AlignedBuffer<float> gamma;  // [hidden]
  AlignedBuffer<float> beta;   // [hidden]
};

struct Layer {
  Linear query, key, value;  // [hidden][hidden]
  Linear attention_output;   // [hidden][hidden]
  LayerNorm attention_norm;
  Linear intermediate;  // [intermediate][hidden]
  Linear output;        // [hidden][intermediate]
  LayerNorm output_norm;
};

struct Weights {
  RowTable word_embeddings;      // [vocab_size][hidden]
  RowTable position_embeddings;  // [max_positions][hidden]
  RowTable token_type_embeddings;
  LayerNorm embeddings_norm;
  std::vector<Layer> layers;

  size_t bytes() const;  // memory held
};

}  // namespace quintet::bert
