#include "models/bert/weights.h"

namespace quintet::bert {
namespace {

size_t bytes_of(const Linear& linear) { return linear.weight.bytes() + linear.bias.capacity() * sizeof(float); }

size_t bytes_of(const LayerNorm& norm) { return (norm.gamma.capacity() + norm.beta.capacity()) * sizeof(float); }

}  // namespace

size_t Weights::bytes() const {
  size_t total =
      word_embeddings.bytes() + position_embeddings.bytes() + token_type_embeddings.bytes() + bytes_of(embeddings_norm);
  for (const Layer& layer : layers) {
    total += bytes_of(layer.query) + bytes_of(layer.key) + bytes_of(layer.value) + bytes_of(layer.attention_output) +
             bytes_of(layer.attention_norm) + bytes_of(layer.intermediate) + bytes_of(layer.output) +
             bytes_of(layer.output_norm);
  }
  return total;
}

}  // namespace quintet::bert
