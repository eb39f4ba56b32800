#pragma once
// The weights of a BERT encoder (Devlin et al. 2018, arXiv:1810.04805), as plain structs. Loading has checked that all
// are present with the shapes of the configuration; the forward pass relies on that.

#include <array>
#include <cstddef>
#include <vector>

#include "base/aligned_buffer.h"
#include "models/linear.h"
#include "tensor/packed/row_table.h"

namespace quintet::encoder {

struct LayerNorm {
  size_t bytes() const { return (gamma.capacity() + beta.capacity()) * sizeof(float); }

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

  std::array<const Linear*, 6> linears() const {
    return {&query, &key, &value, &attention_output, &intermediate, &output};
  }
  size_t bytes() const {
    size_t total = attention_norm.bytes() + output_norm.bytes();
    for (const Linear* linear : linears()) total += linear->weight.bytes() + linear->bias.capacity() * sizeof(float);
    return total;
  }
};

struct Weights {
  RowTable word_embeddings;      // [vocab_size][hidden]
  RowTable position_embeddings;  // [max_positions][hidden]
  RowTable token_type_embeddings;
  LayerNorm embeddings_norm;
  std::vector<Layer> layers;

  // Memory in use.
  size_t bytes() const {
    size_t total =
        word_embeddings.bytes() + position_embeddings.bytes() + token_type_embeddings.bytes() + embeddings_norm.bytes();
    for (const Layer& layer : layers) total += layer.bytes();
    return total;
  }
};

}  // namespace quintet::encoder
