// Embeddings of each token for each layer, which are only a row of a table (transformers, modeling_gemma4.py), and the
// number by which the result of a layer is multiplied.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/decoder/pass.h"

namespace quintet::decoder {

// (norm(W x / sqrt(n_embd)) + sqrt(width) * row of the token) / sqrt(2), where x is the scaled embedding.
Task<> Pass::make_layer_inputs() {
  const Rows inputs = layer_inputs(0);
  const auto width = static_cast<float>(config.layer_input_width);
  const size_t count = weights.layers.size() * static_cast<size_t>(config.layer_input_width);
  const float scale = 1 / std::sqrt(static_cast<float>(sizes.embd));
  const float scale_of_table = std::sqrt(width) / std::numbers::sqrt2_v<float>;
  co_await project({x(), 0, ids.size()}, product(weights.shared[TensorKind::layer_embeddings_projection], inputs, 0));
  const WeightMatrix& table = weights.shared[TensorKind::layer_embeddings].matrix;
  float* of_table = inputs.row(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    float* row = inputs.row(i);
    transformer::scale_row({row, count}, scale);
    normalize_in_place(weights.shared[TensorKind::layer_embeddings_norm], row, count);
    read_row(table, ids[i] < rows_of(table) ? ids[i] : 0, of_table);
    for (size_t c = 0; c < count; ++c) {
      row[c] = row[c] / std::numbers::sqrt2_v<float> + scale_of_table * of_table[c];
    }
  }
}

// x += norm(W_out (activation(W_gate x) * input)). With AltUp the result is for the other streams.
Task<> Pass::add_layer_input(size_t index, size_t first) {
  const Layer& layer = weights.layers[index];
  const auto width = static_cast<size_t>(config.layer_input_width);
  const Rows gates = hidden(width);
  co_await project({x(), first, ids.size()}, product(layer[TensorKind::layer_input_gate], gates, first));
  for (size_t i = first; i < ids.size(); ++i) {
    transformer::gate_row(kernels, config.activation, {gates.row(i), width}, layer_inputs(index).row(i));
  }
  co_await add(layer[TensorKind::layer_input_projection], layer[TensorKind::layer_input_norm],
               {gates, first, ids.size()});
  if (config.block.has_altup) add_to_streams(first);
}

void Pass::scale_layer(const Module& scale, size_t first) {
  const float factor = scale.vector.span().front();
  for (size_t i = first; i < ids.size(); ++i) transformer::scale_row({x().row(i), sizes.embd}, factor);
}

}  // namespace quintet::decoder
