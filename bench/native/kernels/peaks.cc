#include "bench/native/kernels/benchmarks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/aligned_buffer.h"
#include "kernels/wasm_simd.h"

#if QUINTET_RELAXED && defined(__wasm__)
#define QUINTET_RELAXED_FUNCTION [[gnu::noinline, gnu::target("relaxed-simd")]]
#else
#define QUINTET_RELAXED_FUNCTION [[gnu::noinline]]
#endif

namespace quintet::bench {
namespace {

constexpr size_t kSteps = 1024;  // of one call
constexpr size_t kCalls = 200;   // of one repetition
constexpr size_t kSums = 8;      // more would spill where a product needs its own register

// Half of the operands stay in registers; the others come from the first-level cache, and differ
// from step to step so that no product can be computed ahead.
struct Operands {
  alignas(16) float memory[kSteps * 4];
};

v128_t load(const Operands& x, size_t step, size_t which) {
  return wasm_v128_load32_splat(x.memory + step * 4 + which);
}

template <size_t kCount>
v128_t total(const v128_t (&sums)[kCount]) {
  v128_t result = sums[0];
  for (size_t j = 1; j < kCount; ++j) result = wasm_v128_xor(result, sums[j]);
  return result;
}

// `step(sum, w, x)` for two w and four x.
template <class Step>
[[gnu::always_inline]] inline v128_t run_4x2(const Operands& x, Step step) {
  const v128_t w[2] = {wasm_v128_load(x.memory), wasm_v128_load(x.memory + 4)};
  v128_t sums[kSums];
  for (size_t j = 0; j < kSums; ++j) sums[j] = load(x, j, 2);
  for (size_t i = 0; i < kSteps; ++i) {
    for (size_t r = 0; r < 4; ++r) {
      const v128_t v = load(x, i, r);
      sums[2 * r] = step(sums[2 * r], w[0], v);
      sums[2 * r + 1] = step(sums[2 * r + 1], w[1], v);
    }
  }
  return total(sums);
}

[[gnu::noinline]] v128_t multiply_add(const Operands& x) {
  return run_4x2(x, [](v128_t sum, v128_t w, v128_t v) { return wasm_f32x4_add(wasm_f32x4_mul(w, v), sum); });
}

[[gnu::noinline]] v128_t dot_i16(const Operands& x) {
  return run_4x2(x, [](v128_t sum, v128_t w, v128_t v) { return wasm_i32x4_add(wasm_i32x4_dot_i16x8(w, v), sum); });
}

#if QUINTET_RELAXED
// Fused operations need no register for the product: twelve sums fit.
QUINTET_RELAXED_FUNCTION v128_t relaxed_madd(const Operands& x) {
  const v128_t w[2] = {wasm_v128_load(x.memory), wasm_v128_load(x.memory + 4)};
  v128_t sums[12];
  for (size_t j = 0; j < 12; ++j) sums[j] = load(x, j, 2);
  for (size_t i = 0; i + 2 < kSteps; ++i) {
    for (size_t r = 0; r < 6; ++r) {
      const v128_t v = load(x, i, r);
      sums[2 * r] = wasm_f32x4_relaxed_madd(w[0], v, sums[2 * r]);
      sums[2 * r + 1] = wasm_f32x4_relaxed_madd(w[1], v, sums[2 * r + 1]);
    }
  }
  return total(sums);
}

QUINTET_RELAXED_FUNCTION v128_t relaxed_dot_i8(const Operands& x) {
  const v128_t w[2] = {wasm_v128_load(x.memory), wasm_v128_load(x.memory + 4)};
  v128_t sums[kSums];
  for (size_t j = 0; j < kSums; ++j) sums[j] = load(x, j, 2);
  for (size_t i = 0; i < kSteps; ++i) {
    for (size_t r = 0; r < 4; ++r) {
      const v128_t v = load(x, i, r);
      sums[2 * r] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w[0], v, sums[2 * r]);
      sums[2 * r + 1] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w[1], v, sums[2 * r + 1]);
    }
  }
  return total(sums);
}

// The dot products of four quads in the steps that a processor without an instruction for them needs.
QUINTET_RELAXED_FUNCTION v128_t relaxed_dot_i8_in_steps(const Operands& x) {
  const v128_t w[2] = {wasm_v128_load(x.memory), wasm_v128_load(x.memory + 4)};
  v128_t sums[4];
  for (size_t j = 0; j < 4; ++j) sums[j] = load(x, j, 2);
  for (size_t i = 0; i + 4 <= kSteps; i += 4) {
    for (size_t r = 0; r < 2; ++r) {
      v128_t products[2] = {w[0], w[1]};
      for (size_t k = 0; k < 4; ++k) {
        const v128_t v = load(x, i + k, r);
        for (size_t j = 0; j < 2; ++j) {
          products[j] = wasm_i16x8_add(products[j], wasm_i16x8_relaxed_dot_i8x16_i7x16(w[j], v));
        }
      }
      for (size_t j = 0; j < 2; ++j) {
        sums[2 * r + j] = wasm_i32x4_add(sums[2 * r + j], wasm_i32x4_extadd_pairwise_i16x8(products[j]));
      }
    }
  }
  return total(sums);
}
#endif

// Results are kept, or the calls would be removed; the loops are called through volatile pointers,
// or they would be merged into a function that runs but once and is never optimized.
volatile int32_t sink;

double operations_per_second(v128_t (*function)(const Operands&), double per_step) {
  v128_t (*volatile loop)(const Operands&) = function;
  Operands operands;
  std::fill_n(operands.memory, kSteps * 4, 1.0f);
  const double seconds = best_seconds([&] {
    for (size_t i = 0; i < kCalls; ++i) {
      asm volatile("" : : "r"(&operands) : "memory");  // the operands may have changed: no call is like the last
      sink = wasm_i32x4_extract_lane(loop(operands), 0);
    }
  });
  return per_step * kSteps * kCalls / seconds / 1e9;
}

[[gnu::noinline]] int32_t read_block(const v128_t* memory, size_t vectors) {
  v128_t sums[4] = {};
  for (size_t i = 0; i + 4 <= vectors; i += 4) {
    for (size_t j = 0; j < 4; ++j) sums[j] = wasm_v128_xor(sums[j], memory[i + j]);
  }
  return wasm_i32x4_extract_lane(wasm_v128_xor(wasm_v128_xor(sums[0], sums[1]), wasm_v128_xor(sums[2], sums[3])), 0);
}

}  // namespace

double read_rate(const void* memory, size_t bytes) {
  constexpr size_t kBlock = 4096;
  const v128_t* vectors = static_cast<const v128_t*>(memory);
  const size_t count = bytes / sizeof(v128_t);
  const double seconds = best_seconds([&] {
    for (size_t i = 0; i < count; i += kBlock) sink = read_block(vectors + i, std::min(kBlock, count - i));
  });
  return static_cast<double>(bytes) / seconds / 1e9;
}

Peaks measure_peaks() {
  Peaks peaks;
  peaks.multiply_add_f32 = operations_per_second(multiply_add, 8 * kSums);
  peaks.dot_i16 = operations_per_second(dot_i16, 8 * kSums);
#if QUINTET_RELAXED
  peaks.relaxed_madd_f32 = operations_per_second(relaxed_madd, 8 * 12);
  peaks.relaxed_dot_i8 = operations_per_second(relaxed_dot_i8, 16 * kSums);
  peaks.relaxed_dot_i8_in_steps = operations_per_second(relaxed_dot_i8_in_steps, 16 * 4);
#endif
  return peaks;
}

bool bench_memory(const Peaks&) {
  constexpr size_t kBytes = size_t{512} << 20;
  AlignedBuffer<std::byte> memory;
  // Zeros are written, so that every page is there.
  if (!memory.resize(kBytes)) std::abort();
  std::printf("memory: read %.1f GB/s\n", read_rate(memory.data(), kBytes));
  return true;
}

}  // namespace quintet::bench
