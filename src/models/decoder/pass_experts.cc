// The mixture of experts in place of an MLP (Shazeer et al. 2017, arXiv:1701.06538; Fedus et al. 2021,
// arXiv:2101.03961).

#include <algorithm>
#include <cmath>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

// The sum of weight_e * mlp_e(h) over the experts that score_experts() has chosen for a row. An expert computes all
// rows that chose it at once; each row is the same as alone.
Task<Rows> Pass::experts(size_t index, Activations h) {
  std::fill(mixture.sums().row(h.begin), mixture.sums().row(h.end), 0.0F);
  if (config.shared_ff != 0 || config.block.has_mlp_beside_experts) co_await shared_expert(index, h);
  for (const auto& [number, expert] : weights.layers[index].experts()) {
    const std::span<const Mixture::Choice> chosen = mixture.chosen(number);
    if (chosen.empty()) continue;
    mixture.gather(number, h.rows);
    for (const Mixture::Choice& choice : chosen) gathered_from.push_back(segment_of[choice.row]);
    const auto module = [&modules = expert](TensorKind part) { return &modules[expert_index(part)]; };
    const MlpInput mlp = {module(TensorKind::expert_gate_up), module(TensorKind::expert_gate),
                          module(TensorKind::expert_up), static_cast<size_t>(config.expert_ff)};
    const Activations hidden_rows = co_await hidden_part(mlp, {mixture.inputs(), 0, chosen.size()});
    co_await project(hidden_rows, product(*module(TensorKind::expert_down), mixture.results(), 0));
    gathered_from.clear();
    mixture.add_results(number);
  }
  co_return mixture.sums();
}

Task<> Pass::score_experts(const Layer& layer, Activations h) {
  co_await project(h, product(layer[TensorKind::router], mixture.scores(), h.begin));
  choose_experts(layer, h);
}

void Pass::choose_experts(const Layer& layer, Activations h) {
  mixture.clear();
  for (size_t row = h.begin; row < h.end; ++row) {
    mixture.choose(config, row, layer[TensorKind::router_bias].vector.span());
  }
}

// The expert that all rows use, weighted by a sigmoid where the family has that (Qwen1.5-MoE).
Task<> Pass::shared_expert(size_t index, Activations h) {
  const Layer& layer = weights.layers[index];
  const bool is_mlp = config.block.has_mlp_beside_experts;
  const MlpInput mlp = is_mlp ? dense_mlp(index)
                              : MlpInput{&layer[TensorKind::shared_gate_up], &layer[TensorKind::shared_gate],
                                         &layer[TensorKind::shared_up], static_cast<size_t>(config.shared_ff)};
  const Activations hidden_rows = co_await hidden_part(mlp, h);
  co_await project(hidden_rows,
                   product(layer[is_mlp ? TensorKind::down : TensorKind::shared_down], mixture.sums(), h.begin));
  if (!config.block.has_gated_shared_expert) co_return;
  const std::span<const float> router = layer[TensorKind::shared_router].vector.span();
  for (size_t row = h.begin; row < h.end; ++row) {
    float score = 0;
    for (size_t c = 0; c < sizes.embd; ++c) score += router[c] * h.rows.row(row)[c];
    const float weight = 1 / (1 + std::exp(-score));
    float* sum = mixture.sums().row(row);
    std::transform(sum, sum + sizes.embd, sum, [weight](float value) { return weight * value; });
  }
}

}  // namespace quintet::decoder
