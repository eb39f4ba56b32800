#pragma once
// Convolutions of dynamically quantized networks: quantization of windows, and products.

#include "bench/kernels/peaks.h"

namespace quintet::bench {

// False where a kernel is wrong.
bool bench_grouped_convolution(const Peaks& peaks);

}  // namespace quintet::bench
