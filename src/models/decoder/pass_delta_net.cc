// Layers with a gated DeltaNet in a pass of tokens (delta_net.h).

#include <algorithm>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

// The normalized and gated outputs of all heads, which the output matrix multiplies. All tokens are needed, for the
// state; outputs are only finished from the row `first` on.
Task<Activations> Pass::delta_net(size_t index, Activations h, size_t first) {
  const Layer& layer = weights.layers[index];
  co_await project(h, product(layer[TensorKind::delta_input], delta_channels(), 0),
                   product(layer[TensorKind::delta_gate], delta_gates(), first));
  co_await project(h, product(layer[TensorKind::delta_strength], delta_steps().strengths, 0),
                   product(layer[TensorKind::delta_time_step], delta_steps().decays, 0));
  convolve(index, TensorKind::delta_convolution, delta_channels(), delta_sizes.channels());
  apply_silu(delta_channels(), delta_sizes.channels());
  const DeltaHeads heads = {.rates = layer[TensorKind::delta_rates].vector.data(),
                            .time_biases = layer[TensorKind::delta_time_bias].vector.data()};
  for_rows(0, ids.size(), [&](size_t begin, size_t end) {
    prepare_delta_rows(delta_sizes, heads, delta_channels(), delta_steps(), begin, end);
  });
  for (Segment& segment : segments) co_await scan_delta_net(index, segment);
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) gate_delta_row(layer[TensorKind::delta_norm], i);
  });
  co_return Activations{delta_gates(), first, ids.size()};
}

// Head by head: each goes through all tokens with its own state.
Task<> Pass::scan_delta_net(size_t index, Segment& segment) {
  KvCache& cache = segment.cache();
  const float* before = cache.values_before(index).data();
  float* states = cache.next_state().values(cache.recurrent_index(index)).data();
  const Rows channels = delta_channels().from_row(segment.begin);
  const DeltaSteps steps = {.strengths = delta_steps().strengths.from_row(segment.begin),
                            .decays = delta_steps().decays.from_row(segment.begin)};
  // An element of the state is multiplied and added to four times for a token, in floats.
  const uint64_t work_of_one = uint64_t{4} * delta_sizes.head_state() * segment.rows();
  for (size_t begin = 0; begin < delta_sizes.value_heads;) {
    const uint64_t share = std::max<uint64_t>(thread_count(), pace.left() / work_of_one);
    const Partition parts(static_cast<size_t>(std::min<uint64_t>(share, delta_sizes.value_heads - begin)), 1);
    parallel_for(parts.parts, [&](size_t part, size_t) {
      for (size_t head = begin + parts.begin(part); head < begin + parts.end(part); ++head) {
        scan_delta_head(delta_sizes, head, channels, steps, segment.rows(), before + head * delta_sizes.head_state(),
                        states + head * delta_sizes.head_state());
      }
    });
    co_await pace.spend(work_of_one * parts.count);
    begin += parts.count;
  }
}

// z becomes norm(o) * silu(z), where each head is normalized on its own.
void Pass::gate_delta_row(const Module& norm, size_t i) {
  float* outputs = delta_channels().row(i) + 2 * delta_sizes.keys();
  float* gates = delta_gates().row(i);
  normalize_in_place(norm, outputs, delta_sizes.values());
  transformer::gate_row(kernels, Activation::silu, {gates, delta_sizes.values()}, outputs);
}

}  // namespace quintet::decoder
