#pragma once
// GEMM of every variant at the shapes of all-MiniLM-L6-v2, as shares of the peaks.

#include "bench/kernels/peaks.h"

namespace quintet::bench {

// False where a variant's answer differs from the scalar definition.
bool bench_gemm_f32(const Peaks& peaks);
bool bench_gemm_i8(const Peaks& peaks);

}  // namespace quintet::bench
