#include "bench/native/kernels/benchmarks.h"

#include <cstdio>
#include <functional>

#include "kernels/registry.h"

namespace quintet::bench {
namespace {

constexpr size_t kWidth = 384;
constexpr size_t kInner = 1536;
constexpr size_t kHeads = 12;
constexpr size_t kHeadWidth = kWidth / kHeads;

struct Layer {
  Layer(const Kernels& variant, size_t text_length)
      : kernels(variant),
        tokens(text_length),
        x(random_floats(tokens * kInner)),
        y(tokens * kInner),
        scores(tokens * tokens),
        panels((tokens + kPanelRows) * kWidth),
        gamma(random_floats(kWidth)),
        square(random_i8_weights(kWidth, kWidth, 0)),
        up(random_i8_weights(kInner, kWidth, 0)),
        down(random_i8_weights(kWidth, kInner, 0)),
        q(tokens * kInner / kQuad * kActivationQuadBytes),
        scales(tokens) {}

  void quantize(size_t cols) {
    kernels.quantize_rows(
        {.x = {x.data(), cols}, .rows = tokens, .cols = cols, .groups = 1, .q = q.data(), .scales = scales.data()});
  }

  void multiply(const PackedMatrix& w, Activation activation) {
    kernels.gemm_i8({.q = q.data(), .scales = scales.data(), .rows = tokens, .w = w, .c = {y.data(), w.rows()}},
                    {.activation = activation}, {0, w.panels()});
  }

  const Kernels& kernels;
  size_t tokens;
  std::vector<float> x, y, scores, panels, gamma;
  PackedMatrix square, up, down;
  std::vector<uint8_t> q;
  std::vector<float> scales;
};

struct Part {
  const char* name;
  std::function<void(Layer&)> run;
};

const Part kParts[] = {
    {"int8 GEMMs",
     [](Layer& l) {
       // The time of the quantization is subtracted.
       l.quantize(kWidth);
       for (int i = 0; i < 3; ++i) l.multiply(l.square, Activation::none);
       l.quantize(kWidth);
       l.multiply(l.square, Activation::none);
       l.quantize(kWidth);
       l.multiply(l.up, Activation::none);
       l.quantize(kInner);
       l.multiply(l.down, Activation::none);
     }},
    {"GELU",
     [](Layer& l) {
       l.quantize(kWidth);
       l.multiply(l.up, Activation::gelu_erf);
     }},
    {"quantization",
     [](Layer& l) {
       for (int i = 0; i < 3; ++i) l.quantize(kWidth);
       l.quantize(kInner);
     }},
    {"attention: packing",
     [](Layer& l) {
       for (size_t h = 0; h < kHeads; ++h) {
         const PackOperands head = {.x = {l.x.data() + h * kHeadWidth, kWidth},
                                    .rows = l.tokens,
                                    .cols = kHeadWidth,
                                    .panels = l.panels.data()};
         l.kernels.pack_rows(head);
         l.kernels.pack_columns(head);
       }
     }},
    {"attention: Q K^T",
     [](Layer& l) {
       for (size_t h = 0; h < kHeads; ++h) {
         l.kernels.gemm_panels_f32({.a = {l.x.data() + h * kHeadWidth, kWidth},
                                    .panels = l.panels.data(),
                                    .m = l.tokens,
                                    .n = l.tokens,
                                    .k = kHeadWidth,
                                    .c = {l.scores.data(), l.tokens}},
                                   {.alpha = 0.18f});
       }
     }},
    {"attention: softmax",
     [](Layer& l) {
       for (size_t h = 0; h < kHeads; ++h) {
         l.kernels.softmax_rows({.x = {l.scores.data(), l.tokens}, .rows = l.tokens, .cols = l.tokens});
       }
     }},
    {"attention: P V",
     [](Layer& l) {
       for (size_t h = 0; h < kHeads; ++h) {
         l.kernels.gemm_panels_f32({.a = {l.scores.data(), l.tokens},
                                    .panels = l.panels.data(),
                                    .m = l.tokens,
                                    .n = kHeadWidth,
                                    .k = l.tokens,
                                    .c = {l.y.data() + h * kHeadWidth, kWidth}},
                                   {});
       }
     }},
    {"layer norms",
     [](Layer& l) {
       for (int i = 0; i < 2; ++i) {
         l.kernels.layer_norm_rows({.x = {l.x.data(), kWidth},
                                    .rows = l.tokens,
                                    .cols = kWidth,
                                    .gamma = l.gamma.data(),
                                    .beta = l.gamma.data(),
                                    .epsilon = 1e-12f,
                                    .y = {l.y.data(), kWidth}});
       }
     }},
};
constexpr size_t kGemms = 0, kGelu = 1, kQuantization = 2;

double seconds_of(const Part& part, Layer& layer) {
  return best_seconds([&] { part.run(layer); });
}

void bench_layer(const Kernels& kernels, size_t tokens) {
  Layer layer(kernels, tokens);
  double seconds[std::size(kParts)];
  for (size_t i = 0; i < std::size(kParts); ++i) seconds[i] = seconds_of(kParts[i], layer);
  const auto without_gelu = [](Layer& l) {
    l.quantize(kWidth);
    l.multiply(l.up, Activation::none);
  };
  seconds[kGemms] -= seconds[kQuantization];
  seconds[kGelu] -= seconds_of({"", without_gelu}, layer);

  double total = 0;
  for (const double part : seconds) total += part;
  std::printf("one layer, %zu tokens, %.*s: %.0f us, beside the int8 GEMMs %.1f %%\n", tokens,
              static_cast<int>(kernels.name.size()), kernels.name.data(), total * 1e6,
              100 * (total - seconds[kGemms]) / total);
  for (size_t i = 0; i < std::size(kParts); ++i) {
    std::printf("  %-20s %8.1f us %5.1f %%\n", kParts[i].name, seconds[i] * 1e6, 100 * seconds[i] / total);
  }
}

}  // namespace

bool bench_layer(const Peaks&) {
  for (const size_t tokens : {16u, 128u}) {
    for (const Kernels* kernels : compiled_kernels().subspan(1)) bench_layer(*kernels, tokens);
  }
  return true;
}

}  // namespace quintet::bench
