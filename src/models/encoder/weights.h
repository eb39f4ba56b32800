#pragma once
// The weights of an encoder, module by module, under the names of architectures/encoder/tensor_names.h. Loading has
// checked that all that the configuration needs are present, with its shapes; the forward pass relies on that.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "architectures/encoder/tensor_names.h"
#include "base/aligned_buffer.h"
#include "models/module.h"
#include "models/transformer/modules.h"
#include "tensor/packed/row_table.h"

namespace quintet::encoder {

using Module = PackedModule;

using Layer = LayerModules<Module>;

struct Weights {
  RowTable word_embeddings;  // [vocab_size][hidden]; with a head for masked tokens they are the matrix of mlm_output
  // Only static embeddings have these:
  AlignedBuffer<float> word_weights;  // [vocab_size]: factors of the rows
  AlignedBuffer<uint32_t> word_rows;  // [vocab_size]: the row of a token
  RowTable position_embeddings;       // [max_positions][hidden]
  RowTable token_type_embeddings;     // [types][hidden]
  Modules<Module> shared;             // those outside of the layers; distance_bias is a vector [buckets][heads]
  std::vector<Layer> layers;

  // Memory in use.
  size_t bytes() const {
    size_t total = word_embeddings.bytes() + position_embeddings.bytes() + token_type_embeddings.bytes() +
                   word_weights.capacity() * sizeof(float) + word_rows.capacity() * sizeof(uint32_t) + shared.bytes();
    for (const Layer& layer : layers) total += layer.bytes();
    return total;
  }
};

}  // namespace quintet::encoder
