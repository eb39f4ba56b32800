#pragma once
// Statically quantized convolutions, directly and by Winograd's algorithm, with all that belongs to them: at the shapes
// of ResNet-18 at 224x224, and at smaller ones.

#include "bench/kernels/peaks.h"

namespace quintet::bench {

// False where the two ways, or the kernels and the scalar definition, differ.
bool bench_convolution_i16(const Peaks& peaks);

}  // namespace quintet::bench
