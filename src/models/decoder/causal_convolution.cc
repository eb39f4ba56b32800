#include "models/decoder/causal_convolution.h"

#include <algorithm>
#include <array>

#include "formats/model_description.h"

namespace quintet::decoder {
namespace {

using Channels = std::array<float, kConvolvedChannels>;

}  // namespace

// The last row comes first, because the outputs replace inputs that only later rows see.
void convolve_rows(const CausalConvolution& convolution, size_t first, Rows rows, size_t count, float* inputs) {
  const size_t width = std::min(kConvolvedChannels, convolution.channels - first), before = convolution.length - 1;
  std::array<Channels, kMaxKernel> taps, old;
  for (size_t j = 0; j < convolution.length; ++j) {
    for (size_t c = 0; c < width; ++c) taps[j][c] = convolution.kernels[(first + c) * convolution.length + j];
  }
  for (size_t j = 0; j < before; ++j) std::copy_n(inputs + j * convolution.channels + first, width, old[j].data());
  // Input i of the positions before and those of the rows, one after another.
  const auto input = [&](size_t i) { return i < before ? old[i].data() : rows.row(i - before) + first; };
  for (size_t j = 0; j < before; ++j) {
    std::copy_n(input(count + j), width, inputs + j * convolution.channels + first);
  }
  for (size_t row = count; row-- > 0;) {
    Channels sums = {};
    if (convolution.bias != nullptr) std::copy_n(convolution.bias + first, width, sums.data());
    for (size_t j = 0; j < convolution.length; ++j) {
      const float* in = input(row + j);
      for (size_t c = 0; c < width; ++c) sums[c] += taps[j][c] * in[c];
    }
    std::copy_n(sums.data(), width, rows.row(row) + first);
  }
}

}  // namespace quintet::decoder
