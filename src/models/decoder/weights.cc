#include "models/decoder/weights.h"

namespace quintet::decoder {
namespace {

size_t bytes_of_floats(const AlignedBuffer<float>& floats) { return floats.capacity() * sizeof(float); }

size_t bytes_of_norm(const Norm& norm) { return bytes_of_floats(norm.gamma) + bytes_of_floats(norm.beta); }

size_t bytes_of_projection(const Projection& projection) {
  return bytes_of(projection.weight) + bytes_of_floats(projection.bias);
}

size_t bytes_of_layer(const Layer& layer) {
  size_t bytes = bytes_of_norm(layer.input_norm) + bytes_of_norm(layer.post_attention_norm);
  for (const auto* part : {&layer.qkv, &layer.query, &layer.key, &layer.value, &layer.gate_up, &layer.gate, &layer.up,
                           &layer.fc1}) {
    if (*part) bytes += bytes_of_projection(**part);
  }
  return bytes + bytes_of_projection(layer.attention_output) + bytes_of_projection(layer.down);
}

}  // namespace

size_t Weights::bytes() const {
  size_t bytes = bytes_of(embeddings) + bytes_of_norm(final_norm);
  for (const Layer& layer : layers) bytes += bytes_of_layer(layer);
  return bytes + (output ? bytes_of_projection(*output) : 0);
}

}  // namespace quintet::decoder
