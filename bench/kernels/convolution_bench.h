#pragma once
// Float convolutions at the shapes of ResNet-18 for 224x224 pixels: direct ones as shares of the peak, and Winograd's
// algorithm beside them.

#include "bench/kernels/peaks.h"

namespace quintet::bench {

// False where a variant's answer differs from the scalar definition.
bool bench_convolution(const Peaks& peaks);

}  // namespace quintet::bench
