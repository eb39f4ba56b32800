#include "bench/native/kernels/benchmarks.h"

#include <cstdio>

#include "kernels/registry.h"

namespace quintet::bench {
namespace {

constexpr size_t kRows = 8;
constexpr size_t kCols = 2048;
constexpr size_t kValues = kRows * kCols;
constexpr size_t kCalls = 32;  // of one repetition

template <class Run>
void measure(const Kernels& kernels, const char* name, Run run) {
  const double seconds = best_seconds([&] {
    for (size_t i = 0; i < kCalls; ++i) run();
  });
  std::printf("%-8s %-26s %6.2f Gvalues/s\n", kernels.name.data(), name,
              static_cast<double>(kCalls * kValues) / seconds / 1e9);
}

struct NamedActivation {
  const char* name;
  Activation activation;
};
constexpr NamedActivation kActivations[] = {{"mlp_activation, SiLU", Activation::silu},
                                            {"mlp_activation, GELU erf", Activation::gelu_erf},
                                            {"mlp_activation, GELU tanh", Activation::gelu_tanh},
                                            {"mlp_activation, ReLU", Activation::relu}};

void bench_decoder(const Kernels& kernels) {
  const std::vector<float> x = random_floats(kValues);
  std::vector<float> y = x;
  measure(kernels, "rms_norm_rows", [&] {
    kernels.rms_norm_rows({.x = {x.data(), kCols},
                           .rows = kRows,
                           .cols = kCols,
                           .gamma = x.data(),
                           .epsilon = 1e-5f,
                           .y = {y.data(), kCols}});
  });
  constexpr size_t kHeadDim = 64;
  const std::vector<float> cosines(kHeadDim / 2, 0.8f), sines(kHeadDim / 2, 0.6f);
  measure(kernels, "rotate_heads", [&] {
    kernels.rotate_heads({.x = y.data(),
                          .heads = kValues / kHeadDim,
                          .head_dim = kHeadDim,
                          .rope_dim = kHeadDim,
                          .cosines = cosines.data(),
                          .sines = sines.data()});
  });
  for (const NamedActivation& named : kActivations) {
    measure(kernels, named.name, [&] {
      kernels.mlp_activation(
          {.activation = named.activation, .gate = x.data(), .up = x.data(), .count = kValues, .y = y.data()});
    });
  }
}

// It runs in place, so each call caps what the last one left: any values take the same time.
void bench_soft_cap(const Kernels& kernels) {
  std::vector<float> x = random_floats(kValues);
  measure(kernels, "soft_cap", [&] { kernels.soft_cap(x.data(), kValues, 30.0f); });
}

void bench_network(const Kernels& kernels) {
  constexpr size_t kChannels = 64, kSide = 16;  // of the pooled map
  static_assert(kChannels * kSide * kSide == kValues);
  constexpr size_t kInputRow = (2 * kSide + 1) * kChannels;
  constexpr OutputGrid kGrid = {kSide, kSide, kSide * kChannels, kChannels};
  const std::vector<float> x = random_floats((2 * kSide + 1) * kInputRow);
  const std::vector<int16_t> q(x.size(), 100);
  std::vector<float> y(kValues);
  std::vector<int16_t> pooled(kValues);
  measure(kernels, "max_pool_f32", [&] { kernels.max_pool_f32(x.data(), kInputRow, y.data(), kGrid); });
  measure(kernels, "max_pool_i16", [&] { kernels.max_pool_i16(q.data(), kInputRow, pooled.data(), kGrid); });
  measure(kernels, "quantize_static", [&] { kernels.quantize_static(x.data(), kValues, 0.01f, 128, pooled.data()); });
}

// These run in place as well, so values must not vanish: factors are 1, hard swish keeps numbers above 3, and sigmoids
// of sigmoids approach 0.66.
void bench_graph(const Kernels& kernels) {
  std::vector<float> x(kValues, 4.0f);
  const std::vector<float> ones(kCols, 1.0f);
  std::vector<float> sums(kCols);
  measure(kernels, "sum_channels", [&] {
    kernels.sum_channels({.x = {x.data(), kCols}, .rows = kRows, .cols = kCols, .squares = true, .sums = sums.data()});
  });
  measure(kernels, "scale_channels", [&] {
    kernels.scale_channels(
        {.x = {x.data(), kCols}, .rows = kRows, .cols = kCols, .factors = ones.data(), .bias = nullptr});
  });
  measure(kernels, "activate, hard swish", [&] { kernels.activate(Activation::hard_swish, x.data(), kValues); });
  measure(kernels, "activate, sigmoid", [&] { kernels.activate(Activation::sigmoid, x.data(), kValues); });
}

}  // namespace

bool bench_rows(const Peaks&) {
  for (const Kernels* kernels : compiled_kernels().subspan(1)) {
    bench_decoder(*kernels);
    bench_soft_cap(*kernels);
    bench_network(*kernels);
    bench_graph(*kernels);
  }
  return true;
}

}  // namespace quintet::bench
