#include "bench/native/kernels/benchmarks.h"

#include <cstdio>
#include <cstring>

#include "base/half.h"
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

namespace {

constexpr size_t kCols = 2048;
constexpr size_t kRows = 16384;

void print_streamed(const Kernels& kernels, const char* weights, size_t rows, size_t bytes, double seconds,
                    double plain) {
  const double rate = static_cast<double>(bytes) / seconds / 1e9;
  std::printf("%-8s %-14s %zu rows %7.2f ms %6.2f GB/s, %4.0f %% of a plain read\n", kernels.name.data(), weights, rows,
              seconds * 1e3, rate, 100 * rate / plain);
}

struct Float {
  const char* name;
  Storage storage;
};
constexpr Float kFloats[] = {{"f32", Storage::f32}, {"f16", Storage::f16}, {"bf16", Storage::bf16}};

PackedMatrix random_weights(Storage storage, size_t rows) {
  const std::vector<float> values = random_floats(kCols);
  std::vector<std::byte> row(kCols * element_bytes(storage));
  for (size_t i = 0; i < kCols; ++i) {
    if (storage == Storage::f32) {
      std::memcpy(row.data() + 4 * i, &values[i], 4);
    } else {
      const uint16_t half = storage == Storage::f16 ? f32_to_f16(values[i]) : f32_to_bf16(values[i]);
      std::memcpy(row.data() + 2 * i, &half, 2);
    }
  }
  PackedMatrix matrix(storage, rows, kCols);
  if (!matrix.reserve()) std::abort();
  for (size_t i = 0; i < rows; ++i) {
    if (!matrix.append_rows(row.data(), 1)) std::abort();
  }
  return matrix;
}

void bench_float(const Float& type, double plain) {
  const PackedMatrix weights = random_weights(type.storage, kRows / element_bytes(type.storage));
  const std::vector<float> x = random_floats(kCols);
  std::vector<float> y(weights.rows());
  for (const Kernels* kernels : compiled_kernels().subspan(1)) {
    GemmF32* const volatile gemm = kernels->gemm_f32;
    const double seconds = best_seconds([&] {
      gemm({.a = {x.data(), kCols}, .w = weights, .c = {y.data(), weights.rows()}}, {}, {0, 1, 0, weights.panels()});
    });
    print_streamed(*kernels, type.name, 1, weights.bytes(), seconds, plain);
  }
}

struct Codes {
  const char* name;
  size_t of_ten[kBlockCodes];  // blocks of ten that have the code
};
constexpr Codes kCodes[] = {{"adaptive 4", {10, 0, 0, 0}},
                            {"adaptive 5", {0, 10, 0, 0}},
                            {"adaptive 8", {0, 0, 10, 0}},
                            {"adaptive 16", {0, 0, 0, 10}},
                            {"adaptive mixed", {5, 3, 1, 1}}};

AdaptiveMatrix random_adaptive(const Codes& codes) {
  constexpr size_t kBlock = AdaptiveMatrix::kMaxBlock;
  std::minstd_rand random(1);
  AdaptiveMatrix matrix(kRows, kCols, kBlock);
  const std::vector<int8_t> q(kBlock, 5);
  const std::vector<uint16_t> halves(kBlock, f32_to_f16(0.5F));
  for (size_t i = 0; i < kRows * (kCols / kBlock); ++i) {
    size_t left = random() % 10, code = 0;
    while (left >= codes.of_ten[code]) left -= codes.of_ten[code++];
    const auto block = static_cast<BlockCode>(code);
    if (!(block == BlockCode::fp16 ? matrix.append_halves(halves) : matrix.append_block(block, q, 0.01F))) std::abort();
  }
  return matrix;
}

void bench_adaptive(const Codes& codes, double plain) {
  const AdaptiveMatrix weights = random_adaptive(codes);
  for (const Kernels* kernels : compiled_kernels().subspan(1)) {
    for (const size_t rows : {size_t{1}, size_t{4}}) {
      const std::vector<float> x = random_floats(rows * kCols);
      AlignedBuffer<std::byte> q;
      if (!q.resize(block_activation_bytes(rows, weights.blocks()))) std::abort();
      std::vector<float> y(rows * kRows);
      kernels->quantize_blocks({.x = {x.data(), kCols},
                                .begin = 0,
                                .end = rows,
                                .cols = kCols,
                                .groups = {weights.block(), weights.block()},
                                .q = q.data()});
      GemmAdaptive* const volatile gemm = kernels->gemm_adaptive;
      const double seconds = best_seconds([&] {
        gemm({.x = {x.data(), kCols}, .q = q.data(), .w = weights, .c = {y.data(), kRows}}, {},
             {0, rows, 0, kRows / kPanelRows});
      });
      print_streamed(*kernels, codes.name, rows, weights.bytes(), seconds, plain);
    }
  }
}

}  // namespace

bool bench_gemv(const Peaks&) {
  AlignedBuffer<std::byte> memory;
  if (!memory.resize(kRows * kCols)) std::abort();
  const double plain = read_rate(memory.data(), memory.size());
  std::printf("weights beyond the cache; a plain read %.1f GB/s\n", plain);
  for (const Float& type : kFloats) bench_float(type, plain);
  for (const Codes& codes : kCodes) bench_adaptive(codes, plain);
  return true;
}

}  // namespace quintet::bench
