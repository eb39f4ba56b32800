// Measures every kernel of this build beside the peaks of the instruction set, in one run.

#include <cstdio>

#include "bench/kernels/gemm_bench.h"

int main() {
  using namespace quintet::bench;
  const Peaks peaks = measure_peaks();
  std::printf("peaks: f32 mul+add %.1f, relaxed_madd %.1f GFLOP/s\n", peaks.multiply_add_f32, peaks.relaxed_madd_f32);
  std::printf("peaks: i32x4.dot_i16x8 %.1f, relaxed_dot %.1f, relaxed_dot in steps %.1f GMAC/s\n", peaks.dot_i16,
              peaks.relaxed_dot_i8, peaks.relaxed_dot_i8_in_steps);
  std::printf("peaks: read %.1f GB/s\n", peaks.read);
  return bench_gemm_f32(peaks) && bench_gemm_i8(peaks) ? 0 : 1;
}
