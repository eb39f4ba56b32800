#pragma once
// Convolutions over positions, each channel with its own kernel, in which a position sees itself and those before.

#include <cstddef>

#include "kernels/rows.h"

namespace quintet::decoder {

struct CausalConvolution {
  const float* kernels;         // [channels][length], the current position last
  const float* bias = nullptr;  // [channels], or none
  size_t channels;
  size_t length;  // at most kMaxKernel
};

// The number of channels that are computed together.
constexpr size_t kConvolvedChannels = 32;

// Convolves rows [0, count) of the channels from `first` on, at most kConvolvedChannels, in place. `inputs` has those
// of the length - 1 positions before, [length - 1][channels], the oldest first, and then those of the last positions.
void convolve_rows(const CausalConvolution& convolution, size_t first, Rows rows, size_t count, float* inputs);

}  // namespace quintet::decoder
