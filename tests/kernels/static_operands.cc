#include "tests/kernels/static_operands.h"

#include <gtest/gtest.h>

namespace quintet::testing {
namespace {

int draw(StaticRange range, int min, int greatest, int extreme, Random& random) {
  switch (range) {
    case StaticRange::any:
      return random.integer(min, greatest);
    case StaticRange::ends:
      return random.integer(0, 1) == 0 ? min : greatest;
    case StaticRange::positive:
    case StaticRange::negative:
      return extreme;
  }
  return 0;
}

// The formula of the header, in 64 bits and with the C library's rounding.
int16_t expected_activation(int64_t sum, const StaticEpilogue& e, size_t channel, size_t at) {
  const auto clamp = [](float rounded, int32_t zero_point, int32_t min) {
    const double q = static_cast<double>(rounded) + zero_point;
    return static_cast<int16_t>(std::clamp<double>(q, min, 255) - zero_point);
  };
  const float scaled = e.multiplier * static_cast<float>(static_cast<int32_t>(sum + e.bias[channel]));
  const int16_t own = clamp(std::round(scaled), e.zero_point, e.min);
  if (e.residual == nullptr) return own;
  const float a = e.scale * static_cast<float>(own);
  const float b = e.residual_scale * static_cast<float>(e.residual[at]);
  const float both = a + b;
  return clamp(std::round(both / e.sum_scale), e.sum_zero_point, e.sum_zero_point);
}

}  // namespace

StaticConvolution::StaticConvolution(const ConvShape& shape_, StaticRange range, bool with_residual, Random& random,
                                     bool symmetric)
    : shape(shape_),
      input(shape.input_values()),
      exact(shape.outputs * shape.window()),
      weights(shape.outputs, shape.kernel, shape.kernel * shape.channels),
      bias(shape.outputs),
      residual(shape.output_values()) {
  const bool is_any = range == StaticRange::any;
  // Zero points at both ends: activations reach 255 on one side, weights -255 or 255.
  input_zero = is_any ? random.integer(0, 255) : random.integer(0, 1) * 255;
  const int drawn_zero = is_any ? random.integer(-128, 127) : range == StaticRange::negative ? 127 : -128;
  const int weight_zero = symmetric ? 0 : drawn_zero;
  const int input_extreme = (input_zero == 0 ? 255 : 0) - input_zero;
  const int weight_extreme = drawn_zero == 127 ? -128 : 127;
  for (int16_t& x : input) x = static_cast<int16_t>(draw(range, -input_zero, 255 - input_zero, input_extreme, random));
  std::vector<int8_t> row(shape.window());
  for (size_t n = 0; n < shape.outputs; ++n) {
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = static_cast<int8_t>(draw(range, -128, 127, weight_extreme, random));
      exact[n * row.size() + i] = static_cast<int16_t>(row[i] - weight_zero);
    }
    EXPECT_TRUE(weights.append_row(row));
  }
  EXPECT_TRUE(weights.set_zero_point(weight_zero));
  for (int32_t& value : bias) value = random.integer(-100000, 100000);

  const int zero_point = random.integer(0, 255);
  epilogue = {.bias = bias.data(),
              // Most outputs are within the range, and some beyond it.
              .multiplier = 0.01f / std::sqrt(static_cast<float>(shape.window())),
              .zero_point = zero_point,
              .min = random.integer(0, 1) * zero_point};
  if (!with_residual) return;
  for (int16_t& value : residual) value = static_cast<int16_t>(random.integer(-255, 255));
  epilogue.residual = residual.data();
  epilogue.scale = 0.013f;
  epilogue.residual_scale = 0.017f;
  epilogue.sum_scale = 0.02f;
  epilogue.sum_zero_point = random.integer(0, 255);
}

std::vector<int16_t> expected_outputs(const StaticConvolution& c) {
  const ConvShape& s = c.shape;
  const OutputGrid grid = s.grid();
  std::vector<int16_t> outputs(s.output_values(), kUntouchedActivation);
  for (size_t i = 0; i < s.height * s.width * s.outputs; ++i) {
    const size_t n = i % s.outputs, x = i / s.outputs % s.width, y = i / s.outputs / s.width;
    int64_t sum = 0;
    for (size_t k = 0; k < s.window(); ++k) {
      const size_t row = k / s.channels / s.kernel, column = k / s.channels % s.kernel;
      const size_t pixel = (y * s.stride + row) * s.input_row() + (x * s.stride + column) * s.channels;
      sum += int64_t{c.input[pixel + k % s.channels]} * c.exact[n * s.window() + k];
    }
    const size_t at = y * grid.row_stride + x * s.outputs + n;
    outputs[at] = expected_activation(sum, c.epilogue, n, at);
  }
  return outputs;
}

}  // namespace quintet::testing
