#include "models/decoder/weights.h"

namespace quintet::decoder {
namespace {

size_t bytes_of_floats(const AlignedBuffer<float>& floats) { return floats.capacity() * sizeof(float); }

size_t bytes_of_norm(const Norm& norm) { return bytes_of_floats(norm.gamma) + bytes_of_floats(norm.beta); }

size_t bytes_of_projection(const Projection& projection) {
  return bytes_of(projection.weight) + bytes_of_floats(projection.bias);
}

// Calls visit(projection) with each that the layer has.
template <class Visit>
void for_each_projection(const Layer& layer, Visit visit) {
  for (const auto* part :
       {&layer.qkv, &layer.query, &layer.key, &layer.value, &layer.gate_up, &layer.gate, &layer.up, &layer.fc1}) {
    if (*part) visit(**part);
  }
  visit(layer.attention_output);
  visit(layer.down);
}

bool has_finite_scales(const WeightMatrix& matrix) {
  const auto* blocks = std::get_if<BlockMatrix>(&matrix);
  return blocks == nullptr || blocks->is_finite();
}

}  // namespace

size_t Weights::bytes() const {
  size_t bytes = bytes_of(embeddings) + bytes_of_norm(final_norm);
  for (const Layer& layer : layers) {
    bytes += bytes_of_norm(layer.input_norm) + bytes_of_norm(layer.post_attention_norm);
    for_each_projection(layer, [&](const Projection& projection) { bytes += bytes_of_projection(projection); });
  }
  return bytes + (output ? bytes_of_projection(*output) : 0);
}

bool Weights::have_finite_scales() const {
  bool finite = has_finite_scales(embeddings) && (!output || has_finite_scales(output->weight));
  for (const Layer& layer : layers) {
    for_each_projection(layer, [&](const Projection& part) { finite = finite && has_finite_scales(part.weight); });
  }
  return finite;
}

}  // namespace quintet::decoder
