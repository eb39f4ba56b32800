// The mixture of experts in place of an MLP (Shazeer et al. 2017, arXiv:1701.06538).

#include <algorithm>

#include "models/encoder/encoder.h"

namespace quintet::encoder {

// x += the sum of weight_e * down_e(activation(up_e h)) over the experts that the router prefers for a row, and the
// bias. An expert computes all rows of the block that chose it at once.
void Encoder::add_experts(const Layer& layer, Block& block, const Activations& h) const {
  Mixture& mixture = *block.mixture;
  block.projection.multiply(h, {{layer[TensorKind::router], mixture.scores()}});
  mixture.clear();
  for (size_t row = 0; row < block.rows; ++row) mixture.choose(config_, row, {});
  const std::span<const float> bias = layer[TensorKind::experts_bias].bias.span();
  for (size_t row = 0; row < block.rows; ++row) {
    float* const sum = mixture.sums().row(row);
    if (bias.empty()) {
      std::fill_n(sum, embd_, 0.0F);
    } else {
      std::ranges::copy(bias, sum);
    }
  }
  for (const auto& [number, expert] : layer.experts()) add_expert(number, expert, block, h);
  for (size_t row = 0; row < block.rows; ++row) {
    const float* const sum = mixture.sums().row(row);
    float* const x = block.x.row(row);
    for (size_t i = 0; i < embd_; ++i) x[i] += sum[i];
  }
}

void Encoder::add_expert(uint32_t number, const Layer::Expert& expert, Block& block, const Activations& h) const {
  Mixture& mixture = *block.mixture;
  const size_t count = mixture.chosen(number).size();
  if (count == 0) return;
  mixture.gather(number, h.rows.from_row(h.begin));
  const Activations hidden =
      hidden_part(expert[transformer::expert_index(TensorKind::expert_up)], block, {mixture.inputs(), 0, count});
  block.projection.multiply(hidden, {{expert[transformer::expert_index(TensorKind::expert_down)], mixture.results()}});
  mixture.add_results(number);
}

}  // namespace quintet::encoder
