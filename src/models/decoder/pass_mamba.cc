// Layers with Mamba-2 in a pass of tokens (mamba2.h).

#include <algorithm>
#include <span>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

// The gated and normalized outputs of all heads, which the output matrix multiplies. The input matrix gives each token
// the gate, the channels of the convolution and the time steps. All tokens are needed, for the state.
Task<Activations> Pass::mamba(size_t index, Activations h, size_t first) {
  const Layer& layer = weights.layers[index];
  co_await project(h, product(layer[TensorKind::mamba_input], mamba_input(), 0));
  convolve(index, TensorKind::mamba_convolution, mamba_channels(), mamba_sizes.channels());
  apply_silu(mamba_channels(), mamba_sizes.channels());
  for (Segment& segment : segments) co_await scan(index, segment);
  const std::span<const float> gamma = layer[TensorKind::mamba_norm].vector.span();
  const GatedNorm norm = {.gamma = gamma.empty() ? nullptr : gamma.data(),
                          .epsilon = static_cast<float>(config.norm_eps),
                          .gate_scale = static_cast<float>(config.mamba_gate_scale)};
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    gate_rows(mamba_sizes, kernels, norm, mamba_input().from_row(begin), mamba_channels().from_row(begin), end - begin);
  });
  co_return Activations{mamba_input(), first, ids.size()};
}

// Head by head: each goes through all tokens with its own state.
Task<> Pass::scan(size_t index, Segment& segment) {
  const Layer& layer = weights.layers[index];
  const Mamba2Heads heads = {.rates = layer[TensorKind::mamba_rates].vector.data(),
                             .time_biases = layer[TensorKind::mamba_time_bias].vector.data(),
                             .skips = layer[TensorKind::mamba_skip].vector.data(),
                             .time_scale = static_cast<float>(config.mamba_time_scale)};
  KvCache& cache = segment.cache();
  const float* before = cache.values_before(index).data();
  float* states = cache.next_state().values(cache.recurrent_index(index)).data();
  const Rows channels = mamba_channels().from_row(segment.begin);
  const Rows times = mamba_input().from_row(segment.begin).from_column(mamba_sizes.in() - mamba_sizes.heads);
  // An element of the state is multiplied and added to twice for a token, in floats.
  const uint64_t work_of_one = uint64_t{4} * mamba_sizes.head_state() * segment.rows();
  for (size_t begin = 0; begin < mamba_sizes.heads;) {
    const uint64_t share = std::max<uint64_t>(thread_count(), pace.left() / work_of_one);
    const Partition parts(static_cast<size_t>(std::min<uint64_t>(share, mamba_sizes.heads - begin)), 1);
    parallel_for(parts.parts, [&](size_t part, size_t) {
      for (size_t i = begin + parts.begin(part); i < begin + parts.end(part); ++i) {
        scan_head(mamba_sizes, heads, i, channels, times, segment.rows(), before + i * mamba_sizes.head_state(),
                  states + i * mamba_sizes.head_state());
      }
    });
    co_await pace.spend(work_of_one * parts.count);
    begin += parts.count;
  }
}

}  // namespace quintet::decoder
