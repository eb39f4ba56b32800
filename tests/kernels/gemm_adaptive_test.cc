// The GEMM of weights whose blocks differ in precision.

#include <cmath>

#include "base/half.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

struct Shape {
  size_t m, n, blocks, block;
};

constexpr Shape kShapes[] = {{1, 1, 1, 1},  {1, 8, 4, 32}, {2, 9, 7, 32},  {7, 21, 11, 32}, {3, 40, 3, 16},
                             {5, 13, 4, 5}, {6, 3, 9, 8},  {4, 33, 2, 31}, {9, 70, 20, 32}};

struct Weights {
  AdaptiveMatrix matrix;
  std::vector<double> values;    // [n][cols]
  std::vector<BlockCode> codes;  // [n][blocks]
};

// A block of each code in turn, at random, or all of one code.
Weights random_weights(const Shape& shape, Random& random, int only = -1) {
  Weights weights = {AdaptiveMatrix(shape.n, shape.blocks * shape.block, shape.block), {}, {}};
  for (size_t i = 0; i < shape.n * shape.blocks; ++i) {
    const auto code = static_cast<BlockCode>(only < 0 ? random.integer(0, 3) : only);
    weights.codes.push_back(code);
    if (code == BlockCode::fp16) {
      std::vector<uint16_t> halves(shape.block);
      for (uint16_t& half : halves) half = f32_to_f16(random.number());
      EXPECT_TRUE(weights.matrix.append_halves(halves));
      for (const uint16_t half : halves) weights.values.push_back(double{f16_to_f32(half)});
      continue;
    }
    const int limit = code == BlockCode::int4 ? 8 : code == BlockCode::int5 ? 16 : 128;
    const float scale = random.number() / static_cast<float>(limit);
    std::vector<int8_t> q(shape.block);
    for (int8_t& value : q) value = static_cast<int8_t>(random.integer(-limit, limit - 1));
    EXPECT_TRUE(weights.matrix.append_block(code, q, scale));
    for (const int8_t value : q) weights.values.push_back(static_cast<double>(value) * double{scale});
  }
  return weights;
}

void quantize(const Kernels& kernels, const Shape& shape, const std::vector<float>& x, size_t m,
              AlignedBuffer<std::byte>& q) {
  const size_t cols = shape.blocks * shape.block;
  kernels.quantize_blocks(
      {.x = {x.data(), cols}, .begin = 0, .end = m, .cols = cols, .groups = {shape.block, shape.block}, .q = q.data()});
}

class GemmAdaptive : public EachVariant {
 protected:
  std::vector<float> run(const Shape& shape, const Weights& weights, const std::vector<float>& x, size_t m,
                         const Epilogue& epilogue = {}) const {
    const size_t cols = shape.blocks * shape.block;
    std::vector<float> c(m * (shape.n + 1), 7);
    // Aligned as the kernels may expect.
    AlignedBuffer<std::byte> q;
    EXPECT_TRUE(q.resize(block_activation_bytes(m, shape.blocks)));
    quantize(kernels(), shape, x, m, q);
    const size_t panels = (shape.n + kPanelRows - 1) / kPanelRows;
    const size_t cut = panels / 3;
    for (const GemmTile& tile : {GemmTile{0, m, 0, cut}, GemmTile{0, m, cut, panels}}) {
      kernels().gemm_adaptive({.x = {x.data(), cols}, .q = q.data(), .w = weights.matrix, .c = {c.data(), shape.n + 1}},
                              epilogue, tile);
    }
    return c;
  }
};

// The rounded activations of a block: steps of max|x| / 127.
double rounded(const float* block, size_t size, size_t i) {
  float largest = 0;
  for (size_t j = 0; j < size; ++j) largest = std::fmax(largest, std::fabs(block[j]));
  if (largest == 0) return 0;
  return std::nearbyint(double{block[i] * (127 / largest)}) * double{largest / 127};
}

TEST_P(GemmAdaptive, EqualsTheFormula) {
  Random random(1);
  for (const Shape& shape : kShapes) {
    const size_t cols = shape.blocks * shape.block;
    const Weights weights = random_weights(shape, random);
    const std::vector<float> x = random.numbers(shape.m * cols);
    const std::vector<float> bias = random.numbers(shape.n);
    const std::vector<float> c = run(shape, weights, x, shape.m, {.alpha = 0.5f, .bias = bias.data()});
    for (size_t m = 0; m < shape.m; ++m) {
      for (size_t n = 0; n < shape.n; ++n) {
        double sum = 0;
        for (size_t k = 0; k < cols; ++k) {
          const size_t b = k / shape.block;
          const float* block = x.data() + m * cols + b * shape.block;
          const double activation = weights.codes[n * shape.blocks + b] == BlockCode::fp16
                                        ? double{x[m * cols + k]}
                                        : rounded(block, shape.block, k % shape.block);
          sum += activation * weights.values[n * cols + k];
        }
        ASSERT_NEAR(double{c[m * (shape.n + 1) + n]}, sum / 2 + double{bias[n]}, 1e-6 * static_cast<double>(cols + 1))
            << m << ", " << n << ", block " << shape.block;
      }
      ASSERT_EQ(c[m * (shape.n + 1) + shape.n], 7) << "beyond the row";
    }
  }
}

TEST_P(GemmAdaptive, OfOneCodeEqualsTheScalarKernel) {
  Random random(2);
  for (const Shape& shape : kShapes) {
    for (int code = 0; code < 4; ++code) {
      const Weights weights = random_weights(shape, random, code);
      const std::vector<float> x = random.numbers(shape.m * shape.blocks * shape.block);
      const std::vector<float> residual = random.numbers(shape.m * shape.n);
      const Epilogue epilogue = {.activation = Activation::gelu_erf, .residual = {residual.data(), shape.n}};
      const std::vector<float> c = run(shape, weights, x, shape.m, epilogue);
      std::vector<float> definition(c.size(), 7);
      const size_t cols = shape.blocks * shape.block;
      AlignedBuffer<std::byte> q;
      ASSERT_TRUE(q.resize(block_activation_bytes(shape.m, shape.blocks)));
      quantize(scalar_kernels(), shape, x, shape.m, q);
      scalar_kernels().gemm_adaptive(
          {.x = {x.data(), cols}, .q = q.data(), .w = weights.matrix, .c = {definition.data(), shape.n + 1}}, epilogue,
          {0, shape.m, 0, (shape.n + kPanelRows - 1) / kPanelRows});
      for (size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(c[i], definition[i], 2e-6f * static_cast<float>(cols + 1));
    }
  }
}

TEST_P(GemmAdaptive, ARowIsTheSameAloneAndAmongOthers) {
  Random random(3);
  for (const Shape& shape : kShapes) {
    const size_t cols = shape.blocks * shape.block;
    const Weights weights = random_weights(shape, random);
    const std::vector<float> x = random.numbers(shape.m * cols);
    const std::vector<float> all = run(shape, weights, x, shape.m);
    for (size_t m = 0; m < shape.m; ++m) {
      const auto at = static_cast<ptrdiff_t>(m * cols);
      const std::vector<float> row(x.begin() + at, x.begin() + at + static_cast<ptrdiff_t>(cols));
      const std::vector<float> alone = run(shape, weights, row, 1);
      const auto begin = all.begin() + static_cast<ptrdiff_t>(m * (shape.n + 1));
      ASSERT_TRUE(same_bits(alone, std::vector<float>(begin, begin + static_cast<ptrdiff_t>(shape.n + 1))));
    }
  }
}

TEST_P(GemmAdaptive, InfiniteHalvesAndNan) {
  const Shape shape = {1, 3, 2, 32};
  AdaptiveMatrix matrix(3, 64, 32);
  std::vector<uint16_t> halves(32, f32_to_f16(1));
  const std::vector<int8_t> q(32, 1);
  ASSERT_TRUE(matrix.append_halves(halves));
  ASSERT_TRUE(matrix.append_block(BlockCode::int4, q, 1));
  halves[31] = 0x7c00;
  ASSERT_TRUE(matrix.append_block(BlockCode::int5, q, 1));
  ASSERT_TRUE(matrix.append_halves(halves));
  halves[31] = 0x7e00;
  ASSERT_TRUE(matrix.append_halves(halves));
  ASSERT_TRUE(matrix.append_block(BlockCode::int8, q, 1));
  const Weights weights = {std::move(matrix), {}, {}};
  std::vector<float> c = run(shape, weights, std::vector<float>(64, 1), 1);
  EXPECT_FLOAT_EQ(c[0], 64);
  EXPECT_EQ(c[1], INFINITY);
  EXPECT_TRUE(std::isnan(c[2]));
  std::vector<float> x(64, 1);
  x[40] = NAN;
  c = run(shape, weights, x, 1);
  for (size_t n = 0; n < 3; ++n) EXPECT_TRUE(std::isnan(c[n]));
}

QUINTET_FOR_EACH_VARIANT(GemmAdaptive);

}  // namespace
}  // namespace quintet::testing
