#pragma once
// The benchmarks of kernel_bench, and what they measure with.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"

namespace quintet::bench {

// Peak rates of the instruction set in this engine: loops that do nothing but multiply and add in registers.
struct Peaks {
  double multiply_add_f32 = 0;         // GFLOP/s with mul + add
  double relaxed_madd_f32 = 0;         // GFLOP/s with the fused instruction; 0 without relaxed SIMD
  double dot_i16 = 0;                  // GMAC/s with i32x4.dot_i16x8_s
  double relaxed_dot_i8 = 0;           // GMAC/s with i32x4.relaxed_dot_i8x16_i7x16_add_s; 0 without relaxed SIMD
  double relaxed_dot_i8_in_steps = 0;  // GMAC/s with i16x8.relaxed_dot, extadd_pairwise and add

  // The peak of the instructions that the variant may use.
  double f32(std::string_view variant) const {
    return variant == "relaxed" ? std::max(relaxed_madd_f32, multiply_add_f32) : multiply_add_f32;
  }
  double i8(std::string_view variant) const {
    return variant == "relaxed" ? std::max(relaxed_dot_i8, relaxed_dot_i8_in_steps) : dot_i16;
  }
};

Peaks measure_peaks();

// GB/s of a plain loop over memory.
double read_rate(const void* memory, size_t bytes);

// Each prints what it measures; false where a variant's answer differs from the scalar definition.
using Benchmark = bool(const Peaks& peaks);

// The GEMMs at the shapes of all-MiniLM-L6-v2, as shares of the peaks.
Benchmark bench_gemm_f32, bench_gemm_i8;
// Block-quantized weights: one row of activations, which reads them from memory, and the many rows of a prompt.
Benchmark bench_blocks;
// One row of activations with weights that are larger than the cache, as in a decoder's steps: bytes of weights per
// second, compared with a plain read.
Benchmark bench_gemv;
// The time of each kernel in one layer of all-MiniLM-L6-v2 (384 wide, 12 heads, 1536 inside) with int8 weights.
Benchmark bench_layer;
// Kernels that pass over their values once, in values per second: normalization, rotary embedding and MLP activations
// of decoders, pooling and quantization of networks, their activations and the scales of channels.
Benchmark bench_rows;
// Attention's inner products on every type of the KV cache: nanoseconds for eight elements of one row of queries.
Benchmark bench_attention;
// Float convolutions at the shapes of ResNet-18 for 224x224 pixels: direct ones as shares of the peak, and Winograd's
// algorithm next to them.
Benchmark bench_convolution_f32;
// Statically quantized convolutions, directly and by Winograd's algorithm, with all that belongs to them: at the shapes
// of ResNet-18 at 224x224, and at smaller ones.
Benchmark bench_convolution_i16;
// Convolutions of dynamically quantized networks: quantization of windows, and products.
Benchmark bench_group_quantized_convolution;
// Layers of MobileNetV2: depthwise convolutions in floats, and pointwise ones in bytes, as shares of the peaks.
Benchmark bench_mobile;
// The speed of a plain loop over more memory than any cache holds: the upper limit of decoding one token after another.
Benchmark bench_memory;
// Speed of packing weights while a file streams in, in bytes of the file.
Benchmark bench_pack;
// Speed of packing the block types of GGUF.
Benchmark bench_repack;
// The search index's kernels over 100,000 vectors of 384, compared with a plain read of the same number of bytes.
Benchmark bench_search;

// Seconds of the fastest repetition of run(), which does a millisecond or so of work. The machine may be shared: the
// best of many short repetitions counts, and ratios within one run. The first repetitions also let the engine compile
// the code with its optimizing compiler.
template <class Run>
double best_seconds(Run run) {
  using Clock = std::chrono::steady_clock;
  constexpr double kBudget = 0.25;
  constexpr size_t kFewest = 10;
  double best = std::numeric_limits<double>::infinity();
  double total = 0;
  for (size_t i = 0; i < kFewest || total < kBudget; ++i) {
    const auto begin = Clock::now();
    run();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    best = seconds < best ? seconds : best;
    total += seconds;
  }
  return best;
}

// Random operands: nearly normal, like weights and activations of models. The time that a kernel takes may depend on
// how many are large.
inline std::vector<float> random_floats(size_t count) {
  std::minstd_rand random(1);
  std::vector<float> values(count);
  for (float& value : values) {
    for (int i = 0; i < 4; ++i) value += static_cast<float>(random() % 2001) * 0.0005f - 0.5f;
  }
  return values;
}

inline PackedMatrix random_f32_weights(size_t rows, size_t cols) {
  const std::vector<float> values = random_floats(rows * cols);
  PackedMatrix matrix(Storage::f32, rows, cols);
  if (!matrix.append_rows(reinterpret_cast<const std::byte*>(values.data()), rows)) std::abort();
  return matrix;
}

// Nearly normal as well.
inline PackedMatrix random_i8_weights(size_t rows, size_t cols, size_t group) {
  std::minstd_rand random(1);
  std::vector<int8_t> values(rows * cols);
  for (int8_t& value : values) {
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<int>(random() % 255) - 127;
    value = static_cast<int8_t>(sum / 4);
  }
  PackedMatrix matrix(Storage::i8, rows, cols, group);
  const std::vector<float> scales(rows * matrix.groups(), 0.001f);
  if (!matrix.append_rows(reinterpret_cast<const std::byte*>(values.data()), rows)) std::abort();
  if (!matrix.set_scales(scales)) std::abort();
  return matrix;
}

inline float largest_difference(std::span<const float> a, std::span<const float> b) {
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

}  // namespace quintet::bench
