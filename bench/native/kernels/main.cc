// Measures every kernel of this build against the peaks of the instruction set, in one run. Arguments choose
// benchmarks, by their own names or by those of kernels that they measure. None: all.

#include <cstdio>
#include <string_view>

#include "bench/native/kernels/benchmarks.h"
#include "kernels/kernel_list.h"

namespace quintet::bench {
namespace {

struct NamedBenchmark {
  std::string_view name;
  Benchmark* run;
};

constexpr NamedBenchmark kBenchmarks[] = {
    {"gemm_f32", bench_gemm_f32},
    {"gemm_i8", bench_gemm_i8},
    {"blocks", bench_blocks},
    {"convolution_f32", bench_convolution_f32},
    {"convolution_i16", bench_convolution_i16},
    {"group_quantized_convolution", bench_group_quantized_convolution},
    {"mobile", bench_mobile},
    {"gemv", bench_gemv},
    {"attention", bench_attention},
    {"layer", bench_layer},
    {"rows", bench_rows},
    {"memory", bench_memory},
    {"pack", bench_pack},
    {"repack", bench_repack},
    {"search", bench_search},
};

// The benchmark of each kernel. A kernel without one does not compile.
namespace measured_by {
constexpr Benchmark *gemm_f32 = bench_gemm_f32, *gemm_panels_f32 = bench_layer, *gemm_i8 = bench_gemm_i8,
                    *gemm_blocks = bench_blocks, *gemm_adaptive = bench_gemv;
constexpr Benchmark *quantize_rows = bench_layer, *quantize_blocks = bench_blocks, *pack_rows = bench_layer,
                    *pack_columns = bench_layer;
constexpr Benchmark *softmax_rows = bench_layer, *layer_norm_rows = bench_layer, *rms_norm_rows = bench_rows,
                    *rotate_heads = bench_rows, *mlp_activation = bench_rows, *soft_cap = bench_rows;
constexpr Benchmark *qk_scores = bench_attention, *attention_value = bench_attention;
constexpr Benchmark *convolve_f32 = bench_convolution_f32, *winograd_input_f32 = bench_convolution_f32,
                    *winograd_weights_f32 = bench_convolution_f32, *winograd_multiply_f32 = bench_convolution_f32;
constexpr Benchmark *convolve_i16 = bench_convolution_i16, *widen_panels = bench_convolution_i16,
                    *interleave_windows = bench_convolution_i16, *interleave_panels = bench_convolution_i16,
                    *convolve_i8 = bench_convolution_i16, *winograd_input_i16 = bench_convolution_i16,
                    *winograd_weights_i16 = bench_convolution_i16, *winograd_multiply_i16 = bench_convolution_i16;
constexpr Benchmark *max_pool_f32 = bench_rows, *max_pool_i16 = bench_rows, *quantize_static = bench_rows;
constexpr Benchmark *depthwise_f32 = bench_mobile, *quantize_pixels = bench_mobile, *pointwise_i8 = bench_mobile;
constexpr Benchmark *activate = bench_rows, *sum_channels = bench_rows, *scale_channels = bench_rows;
constexpr Benchmark *quantize_im2col = bench_group_quantized_convolution,
                    *convolve_group_quantized = bench_group_quantized_convolution;
}  // namespace measured_by

constexpr NamedBenchmark kKernels[] = {
#define QUINTET_MEASURED(kernel, type, sets, source) {#kernel, measured_by::kernel},
    QUINTET_KERNELS(QUINTET_MEASURED)
#undef QUINTET_MEASURED
};

bool chosen(int argc, char** argv, const NamedBenchmark& benchmark) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i] == benchmark.name) return true;
    for (const NamedBenchmark& kernel : kKernels) {
      if (argv[i] == kernel.name && kernel.run == benchmark.run) return true;
    }
  }
  return argc < 2;
}

void print(const Peaks& peaks) {
  std::printf("peaks: f32 mul+add %.1f, relaxed_madd %.1f GFLOP/s\n", peaks.multiply_add_f32, peaks.relaxed_madd_f32);
  std::printf("peaks: i32x4.dot_i16x8 %.1f, relaxed_dot %.1f, relaxed_dot in steps %.1f GMAC/s\n", peaks.dot_i16,
              peaks.relaxed_dot_i8, peaks.relaxed_dot_i8_in_steps);
}

int run(int argc, char** argv) {
  const Peaks peaks = measure_peaks();
  print(peaks);
  bool right = true;
  for (const NamedBenchmark& benchmark : kBenchmarks) {
    if (chosen(argc, argv, benchmark)) right = benchmark.run(peaks) && right;
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace quintet::bench

int main(int argc, char** argv) { return quintet::bench::run(argc, argv); }
