// The operations other than convolutions in a statically quantized network.

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

constexpr int16_t kUntouched = 12345;

class StaticActivations : public EachVariant {};

TEST_P(StaticActivations, MaximaOfWindows) {
  Random random(6);
  for (const size_t channels : {1, 8, 13, 64}) {
    const OutputGrid grid = {3, 5, 5 * channels + 4, channels};
    const size_t row = 11 * channels;
    std::vector<int16_t> input(7 * row);
    for (int16_t& value : input) value = static_cast<int16_t>(random.integer(-255, 255));
    std::vector<int16_t> output(3 * grid.row_stride, kUntouched), expected = output;
    for (size_t i = 0; i < 15 * channels; ++i) {
      const size_t y = i / channels / 5, x = i / channels % 5;
      int16_t& largest = expected[y * grid.row_stride + i % (5 * channels)];
      largest = INT16_MIN;
      for (size_t k = 0; k < 9; ++k)
        largest = std::max(largest, input[(2 * y + k / 3) * row + (2 * x + k % 3) * channels + i % channels]);
    }
    kernels().max_pool_i16(input.data(), row, output.data(), grid);
    ASSERT_EQ(output, expected) << channels << " channels";
  }
}

TEST_P(StaticActivations, FloatsAreQuantizedAsTheFormulaSays) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Random random(7);
  for (const int32_t zero_point : {0, 1, 114, 255}) {
    for (const float scale : {0.0186584f, 0.5f, 1e-30f, 3e38f}) {
      std::vector<float> x = {0, -0.0f, NAN, kInfinity, -kInfinity, 1e38f, -1e38f, 1e-40f};
      for (int i = -600; i < 600; ++i) x.push_back(static_cast<float>(i) * 0.5f * scale);
      for (int i = 0; i < 999; ++i) x.push_back(random.number() * 300 * scale);
      for (const float steps : {0x1.fffffep-2f, 0x1.7ffffep0f, 0x1.000002p-1f}) {
        x.push_back(steps * scale);
        x.push_back(-steps * scale);
      }
      std::vector<int16_t> y(x.size() + 1, kUntouched);
      kernels().quantize_static(x.data(), x.size(), scale, zero_point, y.data());
      EXPECT_EQ(y.back(), kUntouched);
      for (size_t i = 0; i < x.size(); ++i) {
        const float steps = x[i] / scale;
        const double q = std::isnan(steps) ? zero_point : static_cast<double>(std::round(steps)) + zero_point;
        ASSERT_EQ(y[i], std::clamp<double>(q, 0, 255) - zero_point) << x[i] << " / " << scale;
      }
    }
  }
}

QUINTET_FOR_EACH_VARIANT(StaticActivations);

}  // namespace
}  // namespace quintet::testing
