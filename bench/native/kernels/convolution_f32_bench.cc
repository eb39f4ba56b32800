#include "bench/native/kernels/benchmarks.h"

#include <algorithm>
#include <cstdio>

#include "kernels/registry.h"

namespace quintet::bench {
namespace {

struct Layer {
  const char* name;
  size_t channels, outputs, kernel, stride, size;  // size: of the outputs' map, a square

  size_t window() const { return kernel * kernel * channels; }
  size_t panels() const { return (outputs + kPanelRows - 1) / kPanelRows; }
  size_t tiles_in_row() const { return (size + 1) / 2; }
  size_t tiles() const { return tiles_in_row() * tiles_in_row(); }
  // The sizes of a map inside a border (models/vision/feature_map.h).
  size_t input_row() const { return (size * stride + kernel) * channels; }
  size_t input_values() const { return (size * stride + kernel) * input_row(); }
  size_t output_values() const { return size * size * outputs; }
  Im2colView view() const {
    return {kernel, kernel * channels, input_row(), stride * channels, stride * input_row(), size};
  }
  OutputGrid grid() const { return {size, size, size * outputs, outputs}; }
  double operations() const { return 2.0 * static_cast<double>(output_values() * window()); }
};

// The last three are of ResNets for CIFAR.
constexpr Layer kLayers[] = {
    {"stem", 3, 64, 7, 2, 112},         {"64", 64, 64, 3, 1, 56},    {"64 -> 128", 64, 128, 3, 2, 28},
    {"64 -> 128", 64, 128, 1, 2, 28},   {"128", 128, 128, 3, 1, 28}, {"128 -> 256", 128, 256, 3, 2, 14},
    {"128 -> 256", 128, 256, 1, 2, 14}, {"256", 256, 256, 3, 1, 14}, {"256 -> 512", 256, 512, 3, 2, 7},
    {"256 -> 512", 256, 512, 1, 2, 7},  {"512", 512, 512, 3, 1, 7},  {"linear", 512, 1000, 1, 1, 1},
    {"16", 16, 16, 3, 1, 32},           {"32", 32, 32, 3, 1, 16},    {"64", 64, 64, 3, 1, 8},
};

// The seconds of one run, which is repeated until it takes about a millisecond.
template <class Run>
double seconds_of(const Layer& layer, Run run) {
  const size_t calls = 1 + static_cast<size_t>(5e7 / layer.operations());
  const double best = best_seconds([&] {
    for (size_t i = 0; i < calls; ++i) run();
  });
  return best / static_cast<double>(calls);
}

struct Operands {
  explicit Operands(const Layer& layer)
      : input(random_floats(layer.input_values())),
        bias(random_floats(layer.outputs)),
        weights(random_f32_weights(layer.outputs, layer.window())),
        output(layer.output_values()) {}

  FloatEpilogue epilogue() const { return {.bias = bias.data(), .residual = nullptr, .min = 0}; }

  std::vector<float> input, bias;
  PackedMatrix weights;
  std::vector<float> output;
};

void convolve(const Kernels& kernels, const Layer& layer, Operands& operands) {
  kernels.convolve_f32({.input = operands.input.data(),
                        .view = layer.view(),
                        .w = operands.weights,
                        .output = operands.output.data(),
                        .grid = layer.grid()},
                       operands.epilogue(), {0, layer.size * layer.size, 0, layer.panels()});
}

struct WinogradScratch {
  WinogradScratch(const Layer& layer, size_t tiles_, size_t panels_)
      : tiles(std::min(tiles_, layer.tiles())),
        panels(std::min(panels_, layer.panels())),
        v(tiles * kWinogradTaps * layer.channels),
        u(panels * kWinogradTaps * layer.channels * kPanelRows) {}

  size_t tiles, panels;  // at once
  std::vector<float> v, u;
};

// The steps of the algorithm to do: all, or one, to see its time.
struct Steps {
  bool input = true, weights = true, products = true;
};

// Whichever operand is transformed as a whole, the other is transformed once, in blocks.
void winograd(const Kernels& kernels, const Layer& layer, Operands& operands, WinogradScratch& scratch,
              const Steps& steps) {
  for (size_t panel = 0; panel < layer.panels(); panel += scratch.panels) {
    const size_t panel_end = std::min(panel + scratch.panels, layer.panels());
    if (steps.weights)
      kernels.winograd_weights_f32(operands.weights, layer.channels, panel, panel_end, scratch.u.data());
    for (size_t tile = 0; tile < layer.tiles(); tile += scratch.tiles) {
      const size_t tile_end = std::min(tile + scratch.tiles, layer.tiles());
      if (steps.input && (panel == 0 || scratch.tiles < layer.tiles())) {
        kernels.winograd_input_f32(operands.input.data(),
                                   {layer.input_row(), layer.channels, layer.tiles_in_row(), tile, tile_end},
                                   scratch.v.data());
      }
      if (steps.products) {
        kernels.winograd_multiply_f32({.v = scratch.v.data(),
                                       .u = scratch.u.data(),
                                       .channels = layer.channels,
                                       .output = operands.output.data(),
                                       .grid = layer.grid()},
                                      operands.epilogue(), {tile, tile_end, panel, panel_end});
      }
    }
  }
}

void print_layer(const char* algorithm, std::string_view variant, const Layer& layer) {
  std::printf("%-8s %-8.*s %-10s %zux%zu/%zu %3zux%-3zu", algorithm, static_cast<int>(variant.size()), variant.data(),
              layer.name, layer.kernel, layer.kernel, layer.stride, layer.size, layer.size);
}

// False where the result is not that of the direct algorithm.
bool bench_blocks(const Kernels& kernels, const Layer& layer, Operands& operands, WinogradScratch& scratch, double peak,
                  double direct) {
  convolve(kernels, layer, operands);
  const std::vector<float> expected = operands.output;
  const auto milliseconds = [&](const Steps& steps) {
    return 1e3 * seconds_of(layer, [&] { winograd(kernels, layer, operands, scratch, steps); });
  };
  const double all = milliseconds({});
  if (largest_difference(operands.output, expected) > 1e-2f) return false;
  const double input = milliseconds({true, false, false}), weights = milliseconds({false, true, false});
  const double products = milliseconds({false, false, true});
  const double operations = 2.0 * static_cast<double>(layer.tiles() * kWinogradTaps * layer.channels * layer.outputs);
  print_layer("winograd", kernels.name, layer);
  std::printf(
      " %7.3f ms, direct / this %.2f (%zu tiles, %zu panels; input %.3f, weights %.3f, products %.3f: %.1f %%)\n", all,
      direct * 1e3 / all, scratch.tiles, scratch.panels, input, weights, products, operations / products / peak / 1e4);
  return true;
}

// Either all panels or all tiles at once.
bool bench_winograd(const Kernels& kernels, const Layer& layer, Operands& operands, double peak, double direct) {
  const auto bench = [&](size_t tiles, size_t panels) {
    WinogradScratch scratch(layer, tiles, panels);
    return bench_blocks(kernels, layer, operands, scratch, peak, direct);
  };
  bool right = bench(64, layer.panels());
  for (const size_t panels : {1u, 2u, 4u}) right = right && bench(layer.tiles(), panels);
  return right;
}

bool bench_layer_of(const Kernels& kernels, const Layer& layer, double peak) {
  Operands operands(layer);
  convolve(*compiled_kernels().front(), layer, operands);
  const std::vector<float> expected = operands.output;
  convolve(kernels, layer, operands);
  if (largest_difference(operands.output, expected) > 1e-2f) return false;
  const double seconds = seconds_of(layer, [&] { convolve(kernels, layer, operands); });
  print_layer("direct", kernels.name, layer);
  std::printf(" %7.3f ms %6.1f GFLOP/s %5.1f %%\n", seconds * 1e3, layer.operations() / seconds / 1e9,
              layer.operations() / seconds / peak / 1e7);
  return layer.kernel != 3 || layer.stride != 1 || bench_winograd(kernels, layer, operands, peak, seconds);
}

}  // namespace

bool bench_convolution_f32(const Peaks& peaks) {
  for (const Kernels* kernels : compiled_kernels().subspan(1)) {
    for (const Layer& layer : kLayers) {
      if (bench_layer_of(*kernels, layer, peaks.f32(kernels->name))) continue;
      std::printf("%s of %.*s is wrong\n", layer.name, static_cast<int>(kernels->name.size()), kernels->name.data());
      return false;
    }
  }
  return true;
}

}  // namespace quintet::bench
