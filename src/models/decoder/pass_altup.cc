// AltUp (altup.h) and LAuReL in a pass of tokens, as Gemma 3n has them (transformers, modeling_gemma3n.py). x is the
// first stream, so that all else in a layer is computed as without them.

#include <algorithm>
#include <functional>
#include <numbers>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

AltUp Pass::altup(size_t index) const {
  const Layer& layer = weights.layers[index];
  return {.router_norm = layer[TensorKind::altup_router_norm].vector.data(),
          .router = layer[TensorKind::altup_router].vector.data(),
          .prediction = layer[TensorKind::altup_prediction].vector.data(),
          .correction = layer[TensorKind::altup_correction].vector.data(),
          .width = sizes.embd,
          .epsilon = static_cast<float>(config.norm_eps),
          .soft_cap = kernels.soft_cap};
}

// Each is a projection of the embedding, with its magnitude.
Task<> Pass::split_streams() {
  co_await project({x(), 0, ids.size()}, product(weights.shared[TensorKind::altup_projection_1], stream(1), 0),
                   product(weights.shared[TensorKind::altup_projection_2], stream(2), 0),
                   product(weights.shared[TensorKind::altup_projection_3], stream(3), 0));
  for_rows(0, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      for (size_t k = 1; k < kAltUpStreams; ++k) match_magnitude({x().row(i), sizes.embd}, stream(k).row(i));
    }
  });
}

void Pass::predict_streams(size_t index, size_t first) {
  for_rows(first, ids.size(), [&, altup = altup(index)](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) altup.predict(x().row(i), stream(0).row(i));
  });
}

void Pass::correct_streams(size_t index, size_t first) {
  for_rows(first, ids.size(), [&, altup = altup(index)](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) altup.correct(x().row(i), stream(0).row(i));
  });
}

// x = (x + h + norm(W_right W_left h)) / sqrt(2), a learned residual of low rank (Menghani et al. 2024,
// arXiv:2411.07501, section 2).
Task<> Pass::add_laurel(size_t index, Activations h) {
  const Layer& layer = weights.layers[index];
  const Rows low = hidden(static_cast<size_t>(config.laurel_rank));
  co_await project(h, product(layer[TensorKind::laurel_left], low, h.begin));
  co_await add(layer[TensorKind::laurel_right], layer[TensorKind::laurel_norm], {low, h.begin, h.end});
  for_rows(h.begin, h.end, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      std::transform(x().row(i), x().row(i) + sizes.embd, h.rows.row(i), x().row(i),
                     [](float sum, float value) { return (sum + value) / std::numbers::sqrt2_v<float>; });
    }
  });
}

Activations Pass::scaled_stream(const Module& scale, size_t first) {
  for (size_t i = first; i < ids.size(); ++i) {
    std::transform(x().row(i), x().row(i) + sizes.embd, scale.vector.data(), normed().row(i), std::multiplies<>());
  }
  return {normed(), first, ids.size()};
}

// The norm of the branch, to all but the first.
void Pass::add_to_streams(const Module& norm, size_t first) {
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      float* row = branch().row(i);
      normalize_in_place(norm, row, sizes.embd);
      for (size_t k = 1; k < kAltUpStreams; ++k) {
        std::transform(row, row + sizes.embd, stream(k).row(i), stream(k).row(i), std::plus<>());
      }
    }
  });
}

// x becomes the mean of the streams, of which all but the first are projected to its magnitude.
Task<> Pass::merge_streams() {
  const size_t first = first_wanted();
  for (size_t i = first; i < ids.size(); ++i) std::copy_n(x().row(i), sizes.embd, stream(0).row(i));
  for (size_t k = 1; k < kAltUpStreams; ++k) {
    const TensorKind matrix = kAltUpMatrices[kAltUpStreams - 2 + k];
    co_await project({stream(k), first, ids.size()}, product(weights.shared[matrix], branch(), first));
    for (size_t i = first; i < ids.size(); ++i) {
      match_magnitude({x().row(i), sizes.embd}, branch().row(i));
      std::transform(branch().row(i), branch().row(i) + sizes.embd, stream(0).row(i), stream(0).row(i), std::plus<>());
    }
  }
  for (size_t i = first; i < ids.size(); ++i) {
    std::transform(stream(0).row(i), stream(0).row(i) + sizes.embd, x().row(i),
                   [](float sum) { return sum / static_cast<float>(kAltUpStreams); });
  }
}

}  // namespace quintet::decoder
