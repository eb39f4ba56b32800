// Convolutions over positions in a pass of tokens: the short ones of LFM2, and those of other mixers with a state.

#include <algorithm>
#include <functional>

#include "models/decoder/causal_convolution.h"
#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

// The gated short convolution of LFM2 (arXiv:2511.23404, section 2.2): C * conv(B * v), where B, C and v are W_in h.
Task<Activations> Pass::convolution(size_t index, Activations h, size_t first) {
  co_await project(h, product(weights.layers[index][TensorKind::convolution_input], input_gates(), 0));
  const auto multiply = [this](size_t from, Rows by) {
    for_rows(from, ids.size(), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        float* row = input_gates().row(i);
        std::transform(row, row + sizes.embd, by.row(i), row, std::multiplies<>());
      }
    });
  };
  multiply(0, convolved_values());
  convolve(index, TensorKind::convolution_kernel, input_gates(), sizes.embd);
  multiply(first, output_gates());
  co_return Activations{input_gates(), first, ids.size()};
}

// In place, from the last inputs in the layer's state, which become those of the pass.
void Pass::convolve(size_t index, TensorKind kernels_part, Rows rows, size_t channels) {
  const Module& module = weights.layers[index][kernels_part];
  const CausalConvolution convolution = {.kernels = module.vector.data(),
                                         .bias = module.bias.size() == 0 ? nullptr : module.bias.data(),
                                         .channels = channels,
                                         .length = segments.front().cache().shape().state.inputs + 1};
  const Partition parts((channels + kConvolvedChannels - 1) / kConvolvedChannels, 1);
  parallel_for(parts.parts, [&](size_t part, size_t) {
    for (Segment& segment : segments) {
      KvCache& cache = segment.cache();
      float* inputs = cache.next_state().inputs(cache.recurrent_index(index)).data();
      for (size_t i = parts.begin(part); i < parts.end(part); ++i) {
        convolve_rows(convolution, i * kConvolvedChannels, rows.from_row(segment.begin), segment.rows(), inputs);
      }
    }
  });
}

void Pass::apply_silu(Rows rows, size_t count) {
  for_rows(0, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      transformer::gate_row(kernels, Activation::silu, {rows.row(i), count}, nullptr);
    }
  });
}

}  // namespace quintet::decoder
