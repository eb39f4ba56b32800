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
  for (size_t begin = 0; begin < count; begin += width) {
    const Rows part = inputs.from_column(begin);
    normalize(weights_.shared[TensorKind::layer_embeddings_norm], part, tokens_, part);
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
    kernels_.mlp_activation({.activation = config_.activation,
                             .gate = gates.row(row),
                             .up = layer_inputs_.data() + (block.begin + row) * stride + index * width,
                             .count = width,
                             .y = gates.row(row)});
  }
  add_branch(layer[TensorKind::layer_input_projection], layer[TensorKind::layer_input_norm], {gates, 0, block.rows},
             block);
  const float scale = layer[TensorKind::layer_scale].vector.data()[0];
  for (size_t i = 0; i < block.rows * embd_; ++i) block.x.data[i] *= scale;
}

}  // namespace quintet::encoder
