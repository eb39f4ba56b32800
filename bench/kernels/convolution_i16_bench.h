#pragma once
// Statically quantized convolutions of every variant at the shapes of ResNet-18 at 224x224, directly and by Winograd's
// algorithm, with all that belongs to them.

#include "bench/kernels/peaks.h"

namespace quintet::bench {

// False where the two ways, or a variant and the scalar definition, differ.
bool bench_convolution_i16(const Peaks& peaks);

}  // namespace quintet::bench
