// Measures every kernel of this build beside the peaks of the instruction set, in one run.
// Arguments choose parts: attention, blocks, convolution, convolution_i16, gemm_f32, gemm_i8, gemv,
// grouped_convolution, layer, memory, pack, search. None: all.

#include <cstdio>
#include <string_view>

#include "bench/kernels/attention_bench.h"
#include "bench/kernels/blocks_bench.h"
#include "bench/kernels/convolution_bench.h"
#include "bench/kernels/convolution_i16_bench.h"
#include "bench/kernels/gemm_bench.h"
#include "bench/kernels/gemv_bench.h"
#include "bench/kernels/grouped_convolution_bench.h"
#include "bench/kernels/layer_bench.h"
#include "bench/kernels/memory_bench.h"
#include "bench/kernels/pack_bench.h"
#include "bench/kernels/search_bench.h"

namespace {

using namespace quintet::bench;

bool chosen(int argc, char** argv, std::string_view part) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i] == part) return true;
  }
  return argc < 2;
}

void print(const Peaks& peaks) {
  std::printf("peaks: f32 mul+add %.1f, relaxed_madd %.1f GFLOP/s\n", peaks.multiply_add_f32, peaks.relaxed_madd_f32);
  std::printf("peaks: i32x4.dot_i16x8 %.1f, relaxed_dot %.1f, relaxed_dot in steps %.1f GMAC/s\n", peaks.dot_i16,
              peaks.relaxed_dot_i8, peaks.relaxed_dot_i8_in_steps);
}

}  // namespace

int main(int argc, char** argv) {
  const Peaks peaks = measure_peaks();
  print(peaks);
  bool right = true;
  if (chosen(argc, argv, "gemm_f32")) right = bench_gemm_f32(peaks) && right;
  if (chosen(argc, argv, "gemm_i8")) right = bench_gemm_i8(peaks) && right;
  if (chosen(argc, argv, "blocks")) right = bench_blocks() && right;
  if (chosen(argc, argv, "convolution")) right = bench_convolution(peaks) && right;
  if (chosen(argc, argv, "convolution_i16")) right = bench_convolution_i16(peaks) && right;
  if (chosen(argc, argv, "grouped_convolution")) right = bench_grouped_convolution(peaks) && right;
  if (chosen(argc, argv, "gemv")) bench_gemv();
  if (chosen(argc, argv, "attention")) bench_attention();
  if (chosen(argc, argv, "layer")) bench_layer();
  if (chosen(argc, argv, "memory")) bench_memory();
  if (chosen(argc, argv, "pack")) bench_pack();
  if (chosen(argc, argv, "search")) right = bench_search() && right;
  return right ? 0 : 1;
}
