// AltUp (altup.h) and LAuReL in a pass of tokens, as Gemma 3n has them (transformers, modeling_gemma3n.py). A layer
// computes with x, as it does without them.

#include <algorithm>
#include <functional>
#include <numbers>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

// The first is the embedding, the others are projections of it with its magnitude.
Task<> Pass::split_streams() {
  co_await project({x(), 0, ids.size()}, product(weights.shared[TensorKind::altup_projection_1], stream(1), 0),
                   product(weights.shared[TensorKind::altup_projection_2], stream(2), 0),
                   product(weights.shared[TensorKind::altup_projection_3], stream(3), 0));
  for (size_t i = 0; i < ids.size(); ++i) {
    std::copy_n(x().row(i), sizes.embd, stream(0).row(i));
    for (size_t k = 1; k < kAltUpStreams; ++k) match_magnitude({x().row(i), sizes.embd}, stream(k).row(i));
  }
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

// The branch that was added last, to all but the first.
void Pass::add_to_streams(size_t first) {
  for (size_t i = first; i < ids.size(); ++i) {
    for (size_t k = 1; k < kAltUpStreams; ++k) {
      std::transform(branch().row(i), branch().row(i) + sizes.embd, stream(k).row(i), stream(k).row(i), std::plus<>());
    }
  }
}

// x becomes the mean of the streams, of which all but the first are projected to its magnitude.
Task<> Pass::merge_streams() {
  constexpr float kShare = 1.0F / kAltUpStreams;
  const size_t first = first_wanted();
  for (size_t i = first; i < ids.size(); ++i) {
    const float* row = stream(0).row(i);
    std::transform(row, row + sizes.embd, x().row(i), [](float value) { return kShare * value; });
  }
  for (size_t k = 1; k < kAltUpStreams; ++k) {
    const TensorKind matrix = kAltUpMatrices[kAltUpStreams - 2 + k];
    co_await project({stream(k), first, ids.size()}, product(weights.shared[matrix], branch(), first));
    for (size_t i = first; i < ids.size(); ++i) match_magnitude({stream(0).row(i), sizes.embd}, branch().row(i));
    add_branch(branch(), {}, first, kShare);
  }
}

}  // namespace quintet::decoder
