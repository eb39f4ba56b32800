#include "bench/native/kernels/benchmarks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/registry.h"

namespace quintet::bench {
namespace {

// Quantized windows, and widened panels, that are held at a time.
constexpr size_t kWindowBytes = 192 * 1024;
constexpr size_t kPanelBytes = 96 * 1024;

struct Shape {
  const char* name;
  size_t size;  // of the output, in both directions
  size_t in, out, group;
  size_t kernel = 3, stride = 1;
  size_t layers = 1;  // of this shape in ResNet-18

  double products() const { return static_cast<double>(size * size * in * out * kernel * kernel); }
};

constexpr Shape kShapes[] = {
    {"7x7 s2", 112, 3, 64, 49, 7, 2},   {"3x3", 56, 64, 64, 64, 3, 1, 4},  {"3x3", 28, 128, 128, 64, 3, 1, 3},
    {"3x3", 14, 256, 256, 64, 3, 1, 3}, {"3x3", 7, 512, 512, 64, 3, 1, 3}, {"3x3 s2", 28, 64, 128, 64, 3, 2},
    {"3x3 s2", 14, 128, 256, 64, 3, 2}, {"3x3 s2", 7, 256, 512, 64, 3, 2}, {"1x1 s2", 28, 64, 128, 64, 1, 2},
    {"1x1 s2", 14, 128, 256, 64, 1, 2}, {"1x1 s2", 7, 256, 512, 64, 1, 2}, {"linear", 1, 512, 1000, 64, 1, 1},
};

struct Times {
  Times operator+(const Times& other) const {
    return {quantization + other.quantization, widening + other.widening, products + other.products};
  }
  Times operator*(double factor) const { return {quantization * factor, widening * factor, products * factor}; }
  double sum() const { return quantization + widening + products; }

  double quantization = 0, widening = 0, products = 0;
};

// A layer with a residual, its input and its weights.
class Layer {
 public:
  explicit Layer(const Shape& shape)
      : shape_(shape),
        row_stride_(((shape.size - 1) * shape.stride + shape.kernel + 1) * shape.in),
        weights_(shape.out, window() / shape.group, shape.group),
        input_(random_floats(((shape.size - 1) * shape.stride + shape.kernel + 1) * row_stride_)),
        residual_(random_floats(outputs() * shape.out)),
        bias_(random_floats(shape.out)),
        windows_at_once_(std::clamp<size_t>(kWindowBytes / (window_values() * 2), 1, outputs())),
        panels_at_once_(std::clamp<size_t>(kPanelBytes / (weights_.panel_values() * 2), 1, weights_.panels())),
        q_(windows_at_once_ * window_values()),
        scales_(windows_at_once_ * weights_.segments()),
        panels_(panels_at_once_ * weights_.panel_values()) {
    std::minstd_rand random(1);
    std::vector<int8_t> row(window());
    for (size_t i = 0; i < shape.out; ++i) {
      for (int8_t& value : row) value = static_cast<int8_t>(static_cast<int>(random() % 255) - 127);
      if (!weights_.append_row(row)) std::abort();
    }
    if (!weights_.set_groups(std::vector<float>(shape.out * weights_.segments(), 0.001f), {})) std::abort();
  }

  std::vector<float> make_output() const { return std::vector<float>(residual_.size()); }

  void run(const Kernels& kernels, std::vector<float>& output) {
    for_blocks(outputs(), windows_at_once_, [&](size_t begin, size_t end) {
      quantize(kernels, begin, end);
      for_blocks(weights_.panels(), panels_at_once_, [&](size_t panel_begin, size_t panel_end) {
        if (begin == 0 || panels_at_once_ < weights_.panels()) {
          kernels.widen_panels(weights_, panel_begin, panel_end, panels_.data());
        }
        multiply(kernels, {begin, end, panel_begin, panel_end}, output);
      });
    });
  }

  Times measure(const Kernels& kernels, std::vector<float>& output) {
    const auto for_windows = [&](auto work) { for_blocks(outputs(), windows_at_once_, work); };
    const auto for_panels = [&](auto work) { for_blocks(weights_.panels(), panels_at_once_, work); };
    const size_t widenings = panels_at_once_ < weights_.panels() ? (outputs() - 1) / windows_at_once_ + 1 : 1;
    return {.quantization =
                best_seconds([&] { for_windows([&](size_t begin, size_t end) { quantize(kernels, begin, end); }); }),
            .widening = static_cast<double>(widenings) * best_seconds([&] {
                          for_panels([&](size_t begin, size_t end) {
                            kernels.widen_panels(weights_, begin, end, panels_.data());
                          });
                        }),
            .products = best_seconds([&] {
              for_windows([&](size_t begin, size_t end) {
                for_panels([&](size_t panel_begin, size_t panel_end) {
                  multiply(kernels, {begin, end, panel_begin, panel_end}, output);
                });
              });
            })};
  }

 private:
  size_t window() const { return shape_.kernel * shape_.kernel * shape_.in; }
  size_t window_values() const { return weights_.segments() * weights_.pairs() * 2; }
  size_t outputs() const { return shape_.size * shape_.size; }

  void quantize(const Kernels& kernels, size_t begin, size_t end) {
    const size_t step = shape_.stride * shape_.in;
    const Im2colView view = {shape_.kernel, shape_.kernel * shape_.in,   row_stride_,
                             step,          shape_.stride * row_stride_, shape_.size};
    kernels.quantize_im2col({.input = input_.data(),
                             .view = view,
                             .groups = {.channels = shape_.in, .group = shape_.group, .asymmetric = true},
                             .begin = begin,
                             .end = end,
                             .q = q_.data(),
                             .scales = scales_.data()});
  }
  void multiply(const Kernels& kernels, const ConvTile& tile, std::vector<float>& output) const {
    const OutputGrid grid = {shape_.size, shape_.size, shape_.size * shape_.out, shape_.out};
    kernels.convolve_group_quantized({.q = q_.data(),
                                      .scales = scales_.data(),
                                      .w = weights_,
                                      .panels = panels_.data(),
                                      .output = output.data(),
                                      .grid = grid},
                                     {bias_.data(), residual_.data(), true}, tile);
  }

  template <class Work>
  static void for_blocks(size_t count, size_t block, Work work) {
    for (size_t begin = 0; begin < count; begin += block) work(begin, std::min(begin + block, count));
  }

  Shape shape_;
  size_t row_stride_;
  PairedMatrix weights_;
  std::vector<float> input_, residual_, bias_;
  size_t windows_at_once_, panels_at_once_;
  std::vector<int16_t> q_;
  std::vector<float> scales_;
  std::vector<int16_t> panels_;
};

}  // namespace

bool bench_group_quantized_convolution(const Peaks& peaks) {
  // Relaxed SIMD adds no kernels here.
  const Kernels& kernels = *compiled_kernels()[1];
  Times network;
  for (const Shape& shape : kShapes) {
    Layer layer(shape);
    std::vector<float> expected = layer.make_output(), output = layer.make_output();
    layer.run(*compiled_kernels().front(), expected);
    layer.run(kernels, output);
    if (largest_difference(output, expected) != 0) {
      std::printf("grouped convolution of %s is wrong\n", shape.name);
      return false;
    }
    const Times times = layer.measure(kernels, output);
    const double rate = shape.products() / times.products / 1e9;
    std::printf(
        "grouped %-6s %3zux%-3zu %4zu -> %-4zu quantize %7.3f ms, widen %6.3f ms, multiply %7.3f ms %7.1f GMAC/s "
        "%5.1f %%\n",
        shape.name, shape.size, shape.size, shape.in, shape.out, times.quantization * 1e3, times.widening * 1e3,
        times.products * 1e3, rate, 100 * rate / peaks.dot_i16);
    network = network + times * static_cast<double>(shape.layers);
  }
  std::printf("ResNet-18, all layers: %.2f ms: quantize %.2f, widen %.2f, multiply %.2f\n", network.sum() * 1e3,
              network.quantization * 1e3, network.widening * 1e3, network.products * 1e3);
  return true;
}

}  // namespace quintet::bench
