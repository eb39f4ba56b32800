#include "bench/native/kernels/benchmarks.h"

#include <cstdio>

#include "bench/native/kernels/measure.h"
#include "bench/native/kernels/operands.h"
#include "kernels/registry.h"

namespace quintet::bench {
namespace {

struct Shape {
  size_t outputs, depth;
};
constexpr Shape kShapes[] = {{384, 384}, {1536, 384}, {384, 1536}};
constexpr size_t kRowCounts[] = {1, 4, 8, 16, 32, 64, 128, 256};

// Enough calls that a repetition takes about a millisecond.
size_t calls_for(double operations) { return 1 + static_cast<size_t>(5e7 / operations); }

GemmTile whole(size_t rows, const PackedMatrix& w) { return {0, rows, 0, w.panels()}; }

void print(const char* kernel, std::string_view variant, size_t rows, Shape shape, double rate, const char* unit,
           double peak) {
  std::printf("%-9s %-8.*s M=%-4zu N=%-5zu K=%-5zu %8.2f %s %5.1f %%\n", kernel, static_cast<int>(variant.size()),
              variant.data(), rows, shape.outputs, shape.depth, rate, unit, 100 * rate / peak);
}

bool agrees(const char* kernel, std::string_view variant, float difference, float allowed) {
  if (difference <= allowed) return true;
  std::printf("%s of %.*s is wrong by %g\n", kernel, static_cast<int>(variant.size()), variant.data(),
              static_cast<double>(difference));
  return false;
}

}  // namespace

bool bench_gemm_f32(const Peaks& peaks) {
  for (const Shape shape : kShapes) {
    const PackedMatrix w = random_f32_weights(shape.outputs, shape.depth);
    for (const size_t rows : kRowCounts) {
      const std::vector<float> a = random_floats(rows * shape.depth);
      std::vector<float> expected(rows * shape.outputs), c(rows * shape.outputs);
      const auto run = [&](const Kernels& kernels, std::vector<float>& result) {
        kernels.gemm_f32({.a = {a.data(), shape.depth}, .w = w, .c = {result.data(), shape.outputs}}, {},
                         whole(rows, w));
      };
      run(*compiled_kernels().front(), expected);
      const double operations = 2.0 * static_cast<double>(rows * shape.outputs * shape.depth);
      const size_t calls = calls_for(operations);
      for (const Kernels* kernels : compiled_kernels().subspan(1)) {
        run(*kernels, c);
        if (!agrees("gemm_f32", kernels->name, largest_difference(c, expected), 1e-3f)) return false;
        const double seconds = best_seconds([&] {
          for (size_t i = 0; i < calls; ++i) run(*kernels, c);
        });
        print("gemm_f32", kernels->name, rows, shape, operations * static_cast<double>(calls) / seconds / 1e9,
              "GFLOP/s", peaks.f32(kernels->name));
      }
    }
  }
  return true;
}

bool bench_gemm_i8(const Peaks& peaks) {
  for (const Shape shape : kShapes) {
    const PackedMatrix w = random_i8_weights(shape.outputs, shape.depth, 0);
    for (const size_t rows : kRowCounts) {
      const std::vector<float> a = random_floats(rows * shape.depth);
      std::vector<uint8_t> q(rows * w.quads() * kActivationQuadBytes);
      std::vector<float> scales(rows);
      const auto quantize = [&](const Kernels& kernels) {
        kernels.quantize_rows({.x = {a.data(), shape.depth},
                               .rows = rows,
                               .cols = shape.depth,
                               .groups = w.groups(),
                               .q = q.data(),
                               .scales = scales.data()});
      };
      std::vector<float> expected(rows * shape.outputs), c(rows * shape.outputs);
      const auto run = [&](const Kernels& kernels, std::vector<float>& result) {
        kernels.gemm_i8(
            {.q = q.data(), .scales = scales.data(), .rows = rows, .w = w, .c = {result.data(), shape.outputs}}, {},
            {0, w.panels()});
      };
      quantize(*compiled_kernels().front());
      run(*compiled_kernels().front(), expected);
      const double operations = static_cast<double>(rows * shape.outputs * shape.depth);
      const size_t calls = calls_for(operations);
      for (const Kernels* kernels : compiled_kernels().subspan(1)) {
        quantize(*kernels);
        run(*kernels, c);
        if (!agrees("gemm_i8", kernels->name, largest_difference(c, expected), 0)) return false;
        const double seconds = best_seconds([&] {
          for (size_t i = 0; i < calls; ++i) run(*kernels, c);
        });
        print("gemm_i8", kernels->name, rows, shape, operations * static_cast<double>(calls) / seconds / 1e9, "GMAC/s",
              peaks.i8(kernels->name));
      }
    }
  }
  return true;
}

}  // namespace quintet::bench
