// The layer inputs that EmbeddingGemma 2 adds: a projection of the embeddings, through a gate (transformers,
// modeling_embedding_gemma2.py).

#include <cmath>

#include "models/encoder/encoder.h"

namespace quintet::encoder {

// For each token and layer: norm(W x / sqrt(n_embd)).
void Encoder::make_layer_inputs(const Rows& x) {
  const auto width = static_cast<size_t>(config_.layer_input_width);
  const size_t count = weights_.layers.size() * width;
  const Rows inputs = {layer_inputs_.data(), count};
  const PackedProjection projection(kernels_, scratch_.front().projection, Workers::all);
  const float scale = 1 / std::sqrt(static_cast<float>(embd_));
  projection.multiply({x, 0, tokens_},
                      {{weights_.shared[TensorKind::layer_embeddings_projection], inputs, {.alpha = scale}}});
  for (size_t token = 0; token < tokens_; ++token) {
    normalize_row(weights_.shared[TensorKind::layer_embeddings_norm], {inputs.row(token), count});
  }
}

// x = scale * (x + norm(W_out (activation(W_gate x) * input))).
void Encoder::add_layer_input(size_t index, Block& block) const {
  const Layer& layer = weights_.layers[index];
  const auto width = static_cast<size_t>(config_.layer_input_width);
  const size_t stride = weights_.layers.size() * width;
  const Rows gates = block.intermediate;
  block.projection.multiply({block.x, 0, block.rows}, {{layer[TensorKind::layer_input_gate], gates}});
  for (size_t row = 0; row < block.rows; ++row) {
    const float* const input = layer_inputs_.data() + (block.begin + row) * stride + index * width;
    transformer::gate_row(kernels_, config_.activation, {gates.row(row), width}, input);
  }
  add_branch(layer[TensorKind::layer_input_projection], layer[TensorKind::layer_input_norm], {gates, 0, block.rows},
             block);
  const float scale = layer[TensorKind::layer_scale].vector.data()[0];
  transformer::scale_row({block.x.data, block.rows * embd_}, scale);
}

}  // namespace quintet::encoder
