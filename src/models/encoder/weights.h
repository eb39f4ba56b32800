#pragma once
// The weights of an encoder, as plain structs. Loading has checked that all that the configuration needs are present,
// with its shapes; the forward pass relies on that. Modules that a network does not have are empty.

#include <array>
#include <cstddef>
#include <vector>

#include "base/aligned_buffer.h"
#include "models/linear.h"
#include "tensor/packed/row_table.h"

namespace quintet::encoder {

struct LayerNorm {
  bool empty() const { return gamma.size() == 0; }
  size_t bytes() const { return (gamma.capacity() + beta.capacity()) * sizeof(float); }

  AlignedBuffer<float> gamma;  // [hidden], or of a head
  AlignedBuffer<float> beta;   // the same
};

struct Layer {
  LayerNorm input_norm;      // before the attention
  Linear query, key, value;  // [query_width or key_width][hidden], or as one:
  Linear qkv;                // [qkv_width][hidden]
  LayerNorm query_norm, key_norm;
  Linear attention_output;  // [hidden][query_width]
  LayerNorm attention_norm, second_attention_norm;
  LayerNorm mlp_norm;  // before the MLP; output_norm after it
  Linear up, gate;     // [intermediate][hidden], or as one, in this order or in the other:
  Linear gate_up, up_gate;
  Linear down;  // [hidden][intermediate]
  LayerNorm output_norm;

  std::array<const Linear*, 10> linears() const {
    return {&query, &key, &value, &qkv, &attention_output, &up, &gate, &gate_up, &up_gate, &down};
  }
  std::array<const LayerNorm*, 7> norms() const {
    return {&input_norm, &query_norm, &key_norm, &attention_norm, &second_attention_norm, &mlp_norm, &output_norm};
  }
  size_t bytes() const {
    size_t total = 0;
    for (const LayerNorm* norm : norms()) total += norm->bytes();
    for (const Linear* linear : linears()) total += linear->weight.bytes() + linear->bias.capacity() * sizeof(float);
    return total;
  }
};

// Of a reranker. The first layer and the norm may be missing.
struct Head {
  size_t bytes() const {
    const size_t biases = (dense.bias.capacity() + classifier.bias.capacity()) * sizeof(float);
    return dense.weight.bytes() + norm.bytes() + classifier.weight.bytes() + biases;
  }

  Linear dense;  // [hidden][hidden]
  LayerNorm norm;
  Linear classifier;  // [labels][hidden]
};

struct Weights {
  RowTable word_embeddings;  // [vocab_size][hidden]
  // Of static embeddings, or empty:
  AlignedBuffer<float> word_weights;  // [vocab_size]: factors of the rows
  AlignedBuffer<uint32_t> word_rows;  // [vocab_size]: the row of a token
  RowTable position_embeddings;       // [max_positions][hidden]
  RowTable token_type_embeddings;     // [types][hidden]
  LayerNorm embeddings_norm;
  AlignedBuffer<float> distance_bias;  // [distance_buckets][heads]
  std::vector<Layer> layers;
  LayerNorm final_norm;
  Head head;

  // Memory in use.
  size_t bytes() const {
    size_t total = word_embeddings.bytes() + position_embeddings.bytes() + token_type_embeddings.bytes() +
                   embeddings_norm.bytes() + final_norm.bytes() + distance_bias.capacity() * sizeof(float) +
                   word_weights.capacity() * sizeof(float) + word_rows.capacity() * sizeof(uint32_t) + head.bytes();
    for (const Layer& layer : layers) total += layer.bytes();
    return total;
  }
};

}  // namespace quintet::encoder
