// AltUp (altup.h) and LAuReL in a pass of tokens, as Gemma 3n has them (transformers, modeling_gemma3n.py). A layer
// computes with x, as it does without them.

#include <algorithm>
#include <functional>
#include <numbers>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

// At the start the first is the embedding, and the others are projections of it. At the end these are projected back,
// and x becomes the mean of all. Projections get the magnitude of the first.
Task<> Pass::project_streams(bool is_start) {
  const size_t first = is_start ? 0 : first_wanted();
  for (size_t i = first; is_start && i < ids.size(); ++i) std::copy_n(x().row(i), sizes.embd, stream(0).row(i));
  for (size_t k = 1; k < kAltUpStreams; ++k) {
    const TensorKind matrix = kAltUpMatrices[is_start ? k - 1 : kAltUpStreams - 2 + k];
    co_await project({stream(is_start ? 0 : k), first, ids.size()}, product(weights.shared[matrix], branch(), first));
    for (size_t i = first; i < ids.size(); ++i) {
      match_magnitude({stream(0).row(i), sizes.embd}, branch().row(i), stream(k).row(i));
    }
  }
  for (size_t i = first; !is_start && i < ids.size(); ++i) mean_of_streams({x().row(i), sizes.embd}, stream(0).row(i));
}

void Pass::update_streams(size_t index, size_t first, AltUp::Update update) {
  const Layer& layer = weights.layers[index];
  const AltUp altup = {.router_norm = layer[TensorKind::altup_router_norm].vector.data(),
                       .router = layer[TensorKind::altup_router].vector.data(),
                       .prediction = layer[TensorKind::altup_prediction].vector.data(),
                       .correction = layer[TensorKind::altup_correction].vector.data(),
                       .scale = layer[TensorKind::altup_scale].vector.data(),
                       .width = sizes.embd,
                       .epsilon = static_cast<float>(config.norm_eps),
                       .soft_cap = kernels.soft_cap};
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) (altup.*update)(x().row(i), stream(0).row(i));
  });
}

// x = (x + h + norm(W_right W_left h)) / sqrt(2), a learned residual of low rank (Menghani et al. 2024,
// arXiv:2411.07501, section 2).
Task<> Pass::add_laurel(size_t index, Activations h) {
  const Layer& layer = weights.layers[index];
  const Rows low = hidden(static_cast<size_t>(config.laurel_rank));
  co_await project(h, product(layer[TensorKind::laurel_left], low, h.begin));
  co_await add(layer[TensorKind::laurel_right], layer[TensorKind::laurel_norm], {low, h.begin, h.end});
  for (size_t i = h.begin; i < h.end; ++i) {
    std::transform(x().row(i), x().row(i) + sizes.embd, h.rows.row(i), x().row(i),
                   [](float sum, float value) { return (sum + value) / std::numbers::sqrt2_v<float>; });
  }
}

// Adds the last branch to all streams but the first.
void Pass::add_to_streams(size_t first) {
  for (size_t i = first; i < ids.size(); ++i) {
    for (size_t k = 1; k < kAltUpStreams; ++k) {
      std::transform(branch().row(i), branch().row(i) + sizes.embd, stream(k).row(i), stream(k).row(i), std::plus<>());
    }
  }
}

}  // namespace quintet::decoder
