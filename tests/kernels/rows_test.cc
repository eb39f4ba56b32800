// Kernels that work row by row: quantization, softmax, layer norm, packing.

#include <cmath>
#include <numeric>

#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

class QuantizeRows : public EachVariant {};

// The scalar kernel writes plain bytes: its steps can be looked at. Those of the others show in the
// GEMM.
TEST(ScalarQuantizeRows, RoundsToTheNearestStep) {
  Random random(1);
  for (const size_t groups : {1, 3}) {
    for (const size_t group : {1, 4, 6, 35}) {
      constexpr size_t kRows = 5;
      const size_t cols = groups * group;
      const size_t padded = (group + kQuad - 1) / kQuad * kQuad;
      const std::vector<float> x = random.numbers(kRows * cols);
      std::vector<uint8_t> q(kRows * groups * padded);
      std::vector<float> scales(kRows);
      scalar_kernels().quantize_rows({.x = {x.data(), cols},
                                      .rows = kRows,
                                      .cols = cols,
                                      .groups = groups,
                                      .q = q.data(),
                                      .scales = scales.data()});
      for (size_t r = 0; r < kRows; ++r) {
        float largest = 0;
        for (size_t i = 0; i < cols; ++i) largest = std::fmax(largest, std::fabs(x[r * cols + i]));
        EXPECT_EQ(scales[r], largest / 63);
        for (size_t i = 0; i < groups * padded; ++i) {
          const int got = q[r * groups * padded + i];
          ASSERT_GE(got, 1);
          ASSERT_LE(got, 127);
          const size_t g = i / padded, column = i % padded;
          const float value = column < group ? x[r * cols + g * group + column] : 0;
          EXPECT_NEAR(static_cast<float>(got - kActivationZero) * scales[r], value, scales[r] * 0.50001f);
        }
      }
    }
  }
}

TEST(ScalarQuantizeRows, RoundsHalvesToEven) {
  const std::vector<float> x = {63, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, -63};
  std::vector<uint8_t> q(x.size());
  float scale = 0;
  scalar_kernels().quantize_rows(
      {.x = {x.data(), x.size()}, .rows = 1, .cols = x.size(), .groups = 1, .q = q.data(), .scales = &scale});
  EXPECT_EQ(scale, 1);
  EXPECT_EQ(q, (std::vector<uint8_t>{127, 64, 66, 66, 64, 62, 62, 1}));
}

// An identity matrix reads the quantized values back.
std::vector<float> quantized(const Kernels& kernels, const std::vector<float>& x, size_t rows) {
  const size_t cols = x.size() / rows;
  std::vector<int8_t> identity(cols * cols);
  for (size_t i = 0; i < cols; ++i) identity[i * cols + i] = 1;
  PackedMatrix packed(Storage::i8, cols, cols);
  EXPECT_TRUE(packed.append_rows(bytes_of(identity.data()), cols));
  EXPECT_TRUE(packed.set_scales(std::vector<float>(cols, 1)));
  std::vector<uint8_t> q(rows * packed.quads() * kActivationQuadBytes);
  std::vector<float> scales(rows), values(rows * cols);
  kernels.quantize_rows(
      {.x = {x.data(), cols}, .rows = rows, .cols = cols, .groups = 1, .q = q.data(), .scales = scales.data()});
  kernels.gemm_i8({.q = q.data(), .scales = scales.data(), .rows = rows, .w = packed, .c = {values.data(), cols}}, {},
                  {0, packed.panels()});
  return values;
}

TEST_P(QuantizeRows, EqualsTheScalarKernelBitForBit) {
  Random random(2);
  for (size_t cols = 1; cols <= 70; ++cols) {
    std::vector<float> x = random.numbers(4 * cols);
    for (size_t i = 0; i < cols; ++i) {
      x[cols + i] = std::ldexp(x[cols + i], random.integer(-140, 100));  // far apart, subnormals among them
      x[2 * cols + i] = 0;
      x[3 * cols + i] = static_cast<float>(random.integer(-126, 126)) / 2;  // halves, where 63 is among them
    }
    EXPECT_TRUE(same_bits(quantized(kernels(), x, 4), quantized(scalar_kernels(), x, 4))) << cols;
  }
}

QUINTET_FOR_EACH_VARIANT(QuantizeRows);

class SoftmaxRows : public EachVariant {};

TEST_P(SoftmaxRows, EqualsTheFormula) {
  Random random(3);
  for (size_t cols = 1; cols <= 41; ++cols) {
    for (const float spread : {0.0f, 1.0f, 30.0f, 200.0f}) {
      constexpr size_t kRows = 3;
      const size_t stride = cols + 2;
      std::vector<float> x = random.numbers(kRows * stride);
      for (float& value : x) value *= spread;
      const std::vector<float> before = x;
      kernels().softmax_rows({.x = {x.data(), stride}, .rows = kRows, .cols = cols});
      for (size_t r = 0; r < kRows; ++r) {
        const float* row = before.data() + r * stride;
        const double largest = double{*std::max_element(row, row + cols)};
        double sum = 0;
        for (size_t i = 0; i < cols; ++i) sum += std::exp(double{row[i]} - largest);
        for (size_t i = 0; i < stride; ++i) {
          const float got = x[r * stride + i];
          if (i >= cols) {
            ASSERT_EQ(got, row[i]) << "beyond the row";
            continue;
          }
          const double expected = std::exp(double{row[i]} - largest) / sum;
          // Rounded are the exponential and the quotient; each addition to the sum; and the difference x - max, which
          // counts the more the greater it is.
          const double roundings = static_cast<double>(cols) + largest - double{row[i]};
          const double allowed = expected * (4e-7 + 0x1p-24 * roundings) + 2e-38;
          ASSERT_NEAR(double{got}, expected, allowed) << "column " << i << " of " << cols;
        }
      }
    }
  }
}

TEST_P(SoftmaxRows, FarBelowTheLargestIsZero) {
  std::vector<float> x = {0, -1000, -INFINITY, -110, 0};
  kernels().softmax_rows({.x = {x.data(), x.size()}, .rows = 1, .cols = x.size()});
  EXPECT_EQ(x, (std::vector<float>{0.5f, 0, 0, 0, 0.5f}));
}

TEST_P(SoftmaxRows, NanFillsOnlyItsRow) {
  std::vector<float> x = {1, 2, 3, 4, 5, 1, NAN, 3, 4, 5, 1, 2, 3, 4, 5};
  kernels().softmax_rows({.x = {x.data(), 5}, .rows = 3, .cols = 5});
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(std::isnan(x[i]), i / 5 == 1) << i;
}

TEST_P(SoftmaxRows, NoColumns) { kernels().softmax_rows({.x = {}, .rows = 3, .cols = 0}); }

QUINTET_FOR_EACH_VARIANT(SoftmaxRows);

class LayerNormRows : public EachVariant {};

TEST_P(LayerNormRows, EqualsTheFormula) {
  Random random(4);
  for (size_t cols = 1; cols <= 41; ++cols) {
    for (const float offset : {0.0f, 100.0f}) {
      constexpr size_t kRows = 3;
      const size_t stride = cols + 3;
      std::vector<float> x = random.numbers(kRows * stride);
      for (float& value : x) value += offset;
      const std::vector<float> gamma = random.numbers(cols), beta = random.numbers(cols);
      std::vector<float> y(kRows * stride, 7);
      NormOperands operands = {.x = {x.data(), stride},
                               .rows = kRows,
                               .cols = cols,
                               .gamma = gamma.data(),
                               .beta = beta.data(),
                               .epsilon = 1e-5f,
                               .y = {y.data(), stride}};
      kernels().layer_norm_rows(operands);
      const double count = static_cast<double>(cols);
      for (size_t r = 0; r < kRows; ++r) {
        const float* row = x.data() + r * stride;
        const double mean = std::accumulate(row, row + cols, 0.0) / count;
        double squares = 0;
        for (size_t i = 0; i < cols; ++i) squares += (double{row[i]} - mean) * (double{row[i]} - mean);
        const double deviation = std::sqrt(squares / count + 1e-5);
        for (size_t i = 0; i < stride; ++i) {
          const double got = double{y[r * stride + i]};
          if (i >= cols) {
            ASSERT_EQ(got, 7) << "beyond the row";
            continue;
          }
          const double expected = (double{row[i]} - mean) / deviation * double{gamma[i]} + double{beta[i]};
          // Each of the mean's additions may be off by half a unit in the last place; all is
          // divided by the deviation.
          ASSERT_NEAR(got, expected, 2e-6 + (count + 4) * 0x1p-24 * (1 + double{offset}) / deviation) << cols;
        }
      }
      operands.y.data = x.data();
      kernels().layer_norm_rows(operands);
      for (size_t i = 0; i < cols; ++i) ASSERT_EQ(x[i], y[i]) << "in place";
    }
  }
}

QUINTET_FOR_EACH_VARIANT(LayerNormRows);

class Pack : public EachVariant {};

TEST_P(Pack, RowsAndColumnsComeIntoTheirPanels) {
  Random random(5);
  for (size_t rows = 0; rows <= 41; rows += rows < 18 ? 1 : 5) {
    for (size_t cols = 0; cols <= 41; cols += cols < 18 ? 1 : 5) {
      const size_t stride = cols + 1;
      // One element more than there are: the pointers of an empty matrix are valid.
      const std::vector<float> x = random.numbers(rows * stride + 1);
      const size_t row_panels = (rows + 7) / 8, column_panels = (cols + 7) / 8;
      std::vector<float> by_rows(row_panels * cols * 8 + 1, NAN), by_columns(column_panels * rows * 8 + 1, NAN);
      kernels().pack_rows({.x = {x.data(), stride}, .rows = rows, .cols = cols, .panels = by_rows.data()});
      kernels().pack_columns({.x = {x.data(), stride}, .rows = rows, .cols = cols, .panels = by_columns.data()});
      for (size_t r = 0; r < row_panels * 8; ++r) {
        for (size_t i = 0; i < cols; ++i) {
          ASSERT_EQ(by_rows[(r / 8 * cols + i) * 8 + r % 8], r < rows ? x[r * stride + i] : 0);
        }
      }
      for (size_t i = 0; i < column_panels * 8; ++i) {
        for (size_t r = 0; r < rows; ++r) {
          ASSERT_EQ(by_columns[(i / 8 * rows + r) * 8 + i % 8], i < cols ? x[r * stride + i] : 0);
        }
      }
    }
  }
}

QUINTET_FOR_EACH_VARIANT(Pack);

}  // namespace
}  // namespace quintet::testing
