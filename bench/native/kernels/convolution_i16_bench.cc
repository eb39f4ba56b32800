#include "bench/native/kernels/benchmarks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include "kernels/registry.h"

namespace quintet::bench {
namespace {

// Widened or transformed weights that are held at a time.
constexpr size_t kScratchBytes = 512 * 1024;

struct Shape {
  const char* name;
  size_t size;  // of the output, in both directions
  size_t in, out;
  size_t kernel = 3, stride = 1;
  size_t layers = 1;  // of this shape in ResNet-18 at 224x224

  bool suits_winograd() const { return kernel == 3 && stride == 1; }
  double products() const { return static_cast<double>(size * size * in * out * kernel * kernel); }
};

constexpr Shape kShapes[] = {
    {"7x7 s2", 112, 3, 64, 7, 2},
    {"3x3", 56, 64, 64, 3, 1, 4},
    {"3x3", 28, 128, 128, 3, 1, 3},
    {"3x3", 14, 256, 256, 3, 1, 3},
    {"3x3", 7, 512, 512, 3, 1, 3},
    {"3x3 s2", 28, 64, 128, 3, 2},
    {"3x3 s2", 14, 128, 256, 3, 2},
    {"3x3 s2", 7, 256, 512, 3, 2},
    {"1x1 s2", 28, 64, 128, 1, 2},
    {"1x1 s2", 14, 128, 256, 1, 2},
    {"1x1 s2", 7, 256, 512, 1, 2},
    {"linear", 1, 512, 1000, 1, 1},
    // The sizes at which one way becomes faster than the other, and a network for small pictures.
    {"3x3", 4, 512, 512, 3, 1, 0},
    {"3x3", 3, 512, 512, 3, 1, 0},
    {"3x3", 32, 16, 16, 3, 1, 0},
    {"3x3", 16, 32, 32, 3, 1, 0},
    {"3x3", 8, 64, 64, 3, 1, 0},
};

// A layer with a residual, its input and its weights.
class Layer {
 public:
  explicit Layer(const Shape& shape)
      : shape_(shape),
        row_stride_(((shape.size - 1) * shape.stride + shape.kernel + 1) * shape.in),
        tiles_in_row_((shape.size + 1) / 2),
        weights_(shape.out, shape.kernel, shape.kernel * shape.in),
        input_(((shape.size - 1) * shape.stride + shape.kernel + 1) * row_stride_ + 32),
        residual_(shape.size * shape.size * shape.out),
        bias_(shape.out),
        v_(shape.suits_winograd() ? tiles() * kWinogradTaps * shape.in : 0),
        scratch_(std::max(kScratchBytes / 2, weights_of_panel(shape.suits_winograd()))),
        windows_((outputs() / kInterleavedWindows + 1) * interleaved_window_bytes(weights_)),
        panels_(weights_.panels() * interleaved_panel_bytes(weights_)) {
    std::minstd_rand random(1);
    for (int16_t& value : input_) value = static_cast<int16_t>(random() % 256);
    for (int16_t& value : residual_) value = static_cast<int16_t>(random() % 256);
    for (int32_t& value : bias_) value = static_cast<int32_t>(random() % 2001) - 1000;
    std::vector<int8_t> row(shape.kernel * shape.kernel * shape.in);
    for (size_t i = 0; i < shape.out; ++i) {
      for (int8_t& value : row) value = static_cast<int8_t>(static_cast<int>(random() % 255) - 127);
      if (!weights_.append_row(row)) std::abort();
    }
    if (!weights_.set_zero_point(0)) std::abort();
  }

  void run_direct(const Kernels& kernels, std::vector<int16_t>& output) {
    for_blocks(false, [&](size_t begin, size_t end) {
      kernels.widen_panels(weights_, begin, end, scratch_.data());
      kernels.convolve_i16({.input = input_.data(),
                            .view = view(),
                            .w = weights_,
                            .panels = scratch_.data(),
                            .output = output.data(),
                            .grid = grid()},
                           epilogue(), {0, outputs(), begin, end});
    });
  }

  void run_winograd(const Kernels& kernels, std::vector<int16_t>& output) {
    kernels.winograd_input_i16(input_.data(), {row_stride_, shape_.in, tiles_in_row_, 0, tiles()}, v_.data());
    for_blocks(true, [&](size_t begin, size_t end) {
      kernels.winograd_weights_i16(weights_, shape_.in, begin, end, scratch_.data());
      kernels.winograd_multiply_i16(
          {.v = v_.data(), .u = scratch_.data(), .channels = shape_.in, .output = output.data(), .grid = grid()},
          epilogue(), {0, tiles(), begin, end});
    });
  }

  // Multiplies bytes.
  void run_interleaved(const Kernels& kernels, std::vector<int16_t>& output) {
    copy_windows(kernels);
    kernels.interleave_panels(weights_, 0, weights_.panels(), panels_.data());
    kernels.convolve_i8({.q = windows_.data(),
                         .zero_point = 0,
                         .w = weights_,
                         .panels = panels_.data(),
                         .output = output.data(),
                         .grid = grid()},
                        epilogue(), {0, outputs(), 0, weights_.panels()});
  }
  double seconds_of_copying(const Kernels& kernels) {
    return best_seconds([&] { copy_windows(kernels); });
  }

  std::vector<int16_t> make_output() const { return std::vector<int16_t>(residual_.size()); }

  // The time of a single step.
  double seconds_of_widening(const Kernels& kernels) {
    return best_seconds([&] {
      for_blocks(false, [&](size_t begin, size_t end) { kernels.widen_panels(weights_, begin, end, scratch_.data()); });
    });
  }
  double seconds_of_input(const Kernels& kernels) {
    return best_seconds([&] {
      kernels.winograd_input_i16(input_.data(), {row_stride_, shape_.in, tiles_in_row_, 0, tiles()}, v_.data());
    });
  }
  double seconds_of_weights(const Kernels& kernels) {
    return best_seconds([&] {
      for_blocks(true, [&](size_t begin, size_t end) {
        kernels.winograd_weights_i16(weights_, shape_.in, begin, end, scratch_.data());
      });
    });
  }

 private:
  void copy_windows(const Kernels& kernels) {
    kernels.interleave_windows(
        {.input = input_.data(), .view = view(), .zero_point = 0, .begin = 0, .end = outputs(), .q = windows_.data()});
  }

  size_t tiles() const { return tiles_in_row_ * tiles_in_row_; }
  size_t outputs() const { return shape_.size * shape_.size; }
  Im2colView view() const {
    const Shape& s = shape_;
    return {s.kernel, s.kernel * s.in, row_stride_, s.stride * s.in, s.stride * row_stride_, s.size};
  }
  size_t weights_of_panel(bool transformed) const {
    return transformed ? kWinogradTaps * static_tap_values(shape_.in) : weights_.panel_values();
  }
  OutputGrid grid() const { return {shape_.size, shape_.size, shape_.size * shape_.out, shape_.out}; }
  StaticEpilogue epilogue() const {
    const float scale = 0.1f / static_cast<float>(shape_.kernel * shape_.in);
    const bool ends_block = shape_.suits_winograd();
    return {bias_.data(), scale, 0, 0, ends_block ? residual_.data() : nullptr, 0.5f, 0.5f, 0.75f, 0};
  }

  template <class Run>
  void for_blocks(bool transformed, Run run) const {
    const size_t fitting = kScratchBytes / 2 / weights_of_panel(transformed);
    const size_t block = std::max<size_t>(fitting, 1);
    for (size_t begin = 0, end; begin < weights_.panels(); begin = end) {
      end = std::min(begin + block, weights_.panels());
      run(begin, end);
    }
  }

  Shape shape_;
  size_t row_stride_;
  size_t tiles_in_row_;
  PairedMatrix weights_;
  std::vector<int16_t> input_, residual_;
  std::vector<int32_t> bias_;
  std::vector<int16_t> v_, scratch_;
  std::vector<uint8_t> windows_;
  std::vector<int8_t> panels_;
};

struct Times {
  double direct = 0, winograd = 0, interleaved = 0;
};

void print(const char* way, std::string_view variant, const Shape& shape, double seconds, double peak) {
  const double rate = shape.products() / seconds / 1e9;
  std::printf("%-8s %-8.*s %-6s %3zux%-3zu %4zu -> %-4zu %7.3f ms %7.1f GMAC/s %5.1f %%\n", way,
              static_cast<int>(variant.size()), variant.data(), shape.name, shape.size, shape.size, shape.in, shape.out,
              seconds * 1e3, rate, 100 * rate / peak);
}

bool measure(const Kernels& kernels, const Kernels& relaxed, const Shape& shape, const Peaks& peaks, Times& times) {
  Layer layer(shape);
  const double peak = peaks.dot_i16;
  std::vector<int16_t> expected = layer.make_output(), output = layer.make_output();
  layer.run_direct(*compiled_kernels().front(), expected);
  layer.run_direct(kernels, output);
  if (output != expected) return false;
  times.direct = best_seconds([&] { layer.run_direct(kernels, output); });
  print("direct", kernels.name, shape, times.direct, peak);
  std::printf("    widening %.3f ms\n", layer.seconds_of_widening(kernels) * 1e3);
  times.winograd = times.interleaved = times.direct;
  if (relaxed.has_fused_dot()) {
    std::fill(output.begin(), output.end(), int16_t{-1});
    layer.run_interleaved(relaxed, output);
    if (output != expected) return false;
    times.interleaved = best_seconds([&] { layer.run_interleaved(relaxed, output); });
    print("bytes", relaxed.name, shape, times.interleaved, peaks.relaxed_dot_i8);
    std::printf("    windows %.3f ms\n", layer.seconds_of_copying(relaxed) * 1e3);
  }
  if (!shape.suits_winograd()) return true;

  std::fill(output.begin(), output.end(), int16_t{-1});
  layer.run_winograd(kernels, output);
  if (output != expected) return false;
  times.winograd = best_seconds([&] { layer.run_winograd(kernels, output); });
  print("winograd", kernels.name, shape, times.winograd, peak);
  std::printf("    input %.3f ms, weights %.3f ms\n", layer.seconds_of_input(kernels) * 1e3,
              layer.seconds_of_weights(kernels) * 1e3);
  return true;
}

}  // namespace

bool bench_convolution_i16(const Peaks& peaks) {
  // Relaxed SIMD only has its own kernels for bytes.
  const Kernels& kernels = *compiled_kernels()[1];
  const Kernels& relaxed = *compiled_kernels().back();
  double direct = 0, best = 0, interleaved = 0;
  for (const Shape& shape : kShapes) {
    Times times;
    if (!measure(kernels, relaxed, shape, peaks, times)) {
      std::printf("convolution_i16 of %s is wrong\n", shape.name);
      return false;
    }
    direct += times.direct * static_cast<double>(shape.layers);
    interleaved += times.interleaved * static_cast<double>(shape.layers);
    best += std::min(times.direct, times.winograd) * static_cast<double>(shape.layers);
  }
  if (relaxed.has_fused_dot()) std::printf("ResNet-18, all convolutions: bytes %.2f ms\n", interleaved * 1e3);
  std::printf("ResNet-18, all convolutions: direct %.2f ms, the better of both %.2f ms\n", direct * 1e3, best * 1e3);
  return true;
}

}  // namespace quintet::bench
