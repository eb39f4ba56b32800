// The mixture of experts in place of an MLP (Shazeer et al. 2017, arXiv:1701.06538; Fedus et al. 2021,
// arXiv:2101.03961).

#include <algorithm>
#include <cmath>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

// x += scale * sum of weight_e * mlp_e(h) over the experts that the router prefers for the row, where h is the input
// that is set. An expert computes all rows that chose it at once; each row is the same as alone.
Task<> Pass::experts(const Layer& layer, size_t first) {
  co_await project(product(layer[Part::router], mixture.scores(), first));
  choose_experts(layer, first);
  std::fill(mixture.sums().row(first), mixture.sums().row(ids.size()), 0.0F);
  if (config.shared_ff != 0) co_await shared_expert(layer, first);
  for (const auto& [number, expert] : layer.experts()) {
    const std::span<const Mixture::Choice> chosen = mixture.chosen(number);
    if (chosen.empty()) continue;
    for (size_t row = 0; row < chosen.size(); ++row) {
      std::copy_n(normed().row(chosen[row].row), sizes.embd, mixture.inputs().row(row));
    }
    const auto module = [&modules = expert](Part part) { return &modules[expert_index(part)]; };
    const auto ff = static_cast<size_t>(config.expert_ff);
    input.set(mixture.inputs(), 0, chosen.size());
    co_await hidden_part({module(Part::expert_gate_up), module(Part::expert_gate), module(Part::expert_up), ff}, 0);
    input.set(hidden(ff), 0, chosen.size());
    co_await project(product(*module(Part::expert_down), mixture.results(), 0));
    for (size_t row = 0; row < chosen.size(); ++row) {
      const float* result = mixture.results().row(row);
      float* sum = mixture.sums().row(chosen[row].row);
      for (size_t c = 0; c < sizes.embd; ++c) sum[c] += chosen[row].weight * result[c];
    }
  }
  const auto scale = static_cast<float>(config.residual_scale);
  std::transform(mixture.sums().row(first), mixture.sums().row(ids.size()), x().row(first), x().row(first),
                 [scale](float branch, float sum) { return sum + scale * branch; });
}

void Pass::choose_experts(const Layer& layer, size_t first) {
  mixture.clear();
  for (size_t row = first; row < ids.size(); ++row) mixture.choose(config, row, layer[Part::router_bias].vector.span());
}

// The expert that all rows take, weighted by a sigmoid where the family has that (Qwen1.5-MoE).
Task<> Pass::shared_expert(const Layer& layer, size_t first) {
  const auto ff = static_cast<size_t>(config.shared_ff);
  co_await hidden_part({&layer[Part::shared_gate_up], &layer[Part::shared_gate], &layer[Part::shared_up], ff}, first);
  input.set(hidden(ff), first, ids.size());
  co_await project(product(layer[Part::shared_down], mixture.sums(), first));
  if (!config.block.has_gated_shared_expert) co_return;
  const std::span<const float> router = layer[Part::shared_router].vector.span();
  for (size_t row = first; row < ids.size(); ++row) {
    float score = 0;
    for (size_t c = 0; c < sizes.embd; ++c) score += router[c] * normed().row(row)[c];
    const float weight = 1 / (1 + std::exp(-score));
    float* sum = mixture.sums().row(row);
    std::transform(sum, sum + sizes.embd, sum, [weight](float value) { return weight * value; });
  }
}

}  // namespace quintet::decoder
