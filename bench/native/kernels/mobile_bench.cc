#include "bench/native/kernels/benchmarks.h"

#include <cstdio>
#include <cstring>

#include "kernels/registry.h"

namespace quintet::bench {
namespace {

// Layers of MobileNetV2 for 224x224 pixels (Sandler et al. 2018, arXiv:1801.04381, table 2).
struct Depthwise {
  size_t size;  // of the output, in both directions
  size_t channels, stride;
};
constexpr Depthwise kDepthwise[] = {{112, 32, 1}, {56, 96, 2},  {56, 144, 1}, {28, 144, 2}, {28, 192, 1},
                                    {14, 192, 2}, {14, 384, 1}, {14, 576, 1}, {7, 576, 2},  {7, 960, 1}};
constexpr size_t kWindow = 3;

struct Pointwise {
  size_t size, in, out;
};
constexpr Pointwise kPointwise[] = {{112, 16, 96}, {56, 24, 144}, {28, 32, 192}, {28, 192, 32},
                                    {14, 64, 384}, {14, 384, 64}, {14, 576, 96}, {7, 160, 960},
                                    {7, 960, 160}, {7, 960, 320}, {7, 320, 1280}};

FloatEpilogue relu6(const std::vector<float>& bias) { return {.bias = bias.data(), .min = 0, .max = 6}; }

OutputGrid square(size_t size, size_t channels) { return {size, size, size * channels, channels}; }

bool bench_layer(const Kernels& kernels, const Peaks& peaks, const Depthwise& shape) {
  const size_t row_stride = ((shape.size - 1) * shape.stride + kWindow) * shape.channels;
  const size_t rows = (shape.size - 1) * shape.stride + kWindow;
  const std::vector<float> input = random_floats(rows * row_stride);
  const std::vector<float> weight = random_floats(kWindow * kWindow * shape.channels);
  const std::vector<float> bias = random_floats(shape.channels);
  const OutputGrid grid = square(shape.size, shape.channels);
  std::vector<float> output(shape.size * grid.row_stride), expected = output;
  const auto run = [&](const Kernels& variant, std::vector<float>& y) {
    variant.depthwise_f32({.input = input.data(),
                           .row_stride = row_stride,
                           .kernel = kWindow,
                           .stride = shape.stride,
                           .weight = weight.data(),
                           .output = y.data(),
                           .grid = grid},
                          relu6(bias), 0, shape.size);
  };
  run(*compiled_kernels().front(), expected);
  run(kernels, output);
  constexpr float kRounding = 1e-4f;
  if (largest_difference(output, expected) > kRounding) {
    std::printf("depthwise_f32 of %zu channels is wrong\n", shape.channels);
    return false;
  }
  const double seconds = best_seconds([&] { run(kernels, output); });
  const double rate = 2 * static_cast<double>(output.size() * kWindow * kWindow) / seconds / 1e9;
  std::printf("%-8s depthwise_f32 3x3 s%zu %3zux%-3zu %4zu %8.3f ms %6.1f GFLOP/s %5.1f %%\n", kernels.name.data(),
              shape.stride, shape.size, shape.size, shape.channels, seconds * 1e3, rate,
              100 * rate / peaks.f32(kernels.name));
  return true;
}

// A layer with quantized pixels and weights.
class Int8Layer {
 public:
  explicit Int8Layer(const Pointwise& shape)
      : shape_(shape),
        panels_count_((shape.out + kPanelRows - 1) / kPanelRows),
        input_(random_floats(pixels() * shape.in)),
        bias_(random_floats(panels_count_ * kPanelRows)),
        scales_(panels_count_ * kPanelRows, 0.001f),
        panels_(panels_count_ * weights().panel_bytes()),
        q_(groups() * kInterleavedWindows * shape.in),
        pixel_scales_(groups() * kInterleavedWindows) {
    std::minstd_rand random(1);
    for (size_t panel = 0; panel < panels_count_; ++panel)
      fill(panels_.data() + panel * weights().panel_bytes(), random);
  }

  std::vector<float> make_output() const { return std::vector<float>(pixels() * panels_count_ * kPanelRows); }
  double products() const { return static_cast<double>(pixels() * shape_.in * shape_.out); }

  void quantize(const Kernels& kernels) {
    const Im2colView view = {1, shape_.in, 0, shape_.in, shape_.size * shape_.in, shape_.size};
    kernels.quantize_pixels({.input = input_.data(),
                             .view = view,
                             .range = {},
                             .begin = 0,
                             .end = pixels(),
                             .q = q_.data(),
                             .scales = pixel_scales_.data()});
  }

  void multiply(const Kernels& kernels, std::vector<float>& output) const {
    const OutputGrid grid = square(shape_.size, panels_count_ * kPanelRows);
    kernels.pointwise_i8({.q = q_.data(),
                          .scales = pixel_scales_.data(),
                          .zero_point = PixelRange().zero_point,
                          .w = weights(),
                          .output = output.data(),
                          .grid = grid},
                         relu6(bias_), {0, pixels(), 0, panels_count_});
  }

 private:
  size_t pixels() const { return shape_.size * shape_.size; }
  size_t groups() const { return (pixels() + kInterleavedWindows - 1) / kInterleavedWindows; }
  PointwiseWeights weights() const { return {panels_.data(), scales_.data(), shape_.in / kQuad}; }

  // Weights, and the sum of those of each row.
  void fill(int8_t* panel, std::minstd_rand& random) const {
    const size_t quads = shape_.in / kQuad;
    int32_t sums[kPanelRows] = {};
    for (size_t i = 0; i < quads * kPanelRows * kQuad; ++i) {
      panel[i] = static_cast<int8_t>(static_cast<int>(random() % 255) - 127);
      sums[i / kQuad % kPanelRows] += panel[i];
    }
    std::memcpy(panel + quads * kPanelRows * kQuad, sums, sizeof sums);
  }

  Pointwise shape_;
  size_t panels_count_;
  std::vector<float> input_, bias_, scales_;
  std::vector<int8_t> panels_;
  std::vector<uint8_t> q_;
  std::vector<float> pixel_scales_;
};

bool bench_layer(const Kernels& kernels, const Peaks& peaks, const Pointwise& shape) {
  Int8Layer layer(shape);
  std::vector<float> output = layer.make_output(), expected = output;
  layer.quantize(*compiled_kernels().front());
  layer.multiply(*compiled_kernels().front(), expected);
  layer.quantize(kernels);
  layer.multiply(kernels, output);
  if (output != expected) {
    std::printf("pointwise_i8 of %zu to %zu channels is wrong\n", shape.in, shape.out);
    return false;
  }
  const double quantization = best_seconds([&] { layer.quantize(kernels); });
  const double seconds = best_seconds([&] { layer.multiply(kernels, output); });
  const double rate = layer.products() / seconds / 1e9;
  std::printf(
      "%-8s pointwise_i8 %3zux%-3zu %4zu -> %-4zu quantize_pixels %6.3f ms, multiply %6.3f ms %6.1f GMAC/s %5.1f %%\n",
      kernels.name.data(), shape.size, shape.size, shape.in, shape.out, quantization * 1e3, seconds * 1e3, rate,
      100 * rate / peaks.i8(kernels.name));
  return true;
}

}  // namespace

bool bench_mobile(const Peaks& peaks) {
  bool right = true;
  for (const Kernels* kernels : compiled_kernels().subspan(1)) {
    for (const Depthwise& shape : kDepthwise) right = bench_layer(*kernels, peaks, shape) && right;
    for (const Pointwise& shape : kPointwise) right = bench_layer(*kernels, peaks, shape) && right;
  }
  return right;
}

}  // namespace quintet::bench
