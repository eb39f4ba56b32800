#include <cmath>

#include "base/aligned_buffer.h"
#include "kernels/relaxed/relaxed_dot.h"
#include "kernels/variants.h"
#include "kernels/wasm_simd.h"
#include "tests/kernels/block_operands.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

struct Activations {
  std::vector<float> x;  // [rows][cols]
  size_t rows;
};

Activations activations(size_t rows, size_t cols, Random& random) { return {random.numbers(rows * cols), rows}; }

// All of one magnitude: 127 steps, of both signs or of one.
Activations extreme_activations(size_t rows, size_t cols, Random& random) {
  Activations a = activations(rows, cols, random);
  for (size_t i = 0; i < a.x.size(); ++i) a.x[i] = i / cols % 2 == 0 ? 2.5f : std::copysign(2.5f, a.x[i]);
  return a;
}

std::vector<float> run(const Kernels& kernels, quintet::GemmBlocks* gemm, const Activations& a, const BlockMatrix& w,
                       const Epilogue& epilogue, const GemmTile& tile) {
  AlignedBuffer<std::byte> q;
  EXPECT_TRUE(q.resize(block_activation_bytes(a.rows, w.blocks())));
  kernels.quantize_blocks({.x = {a.x.data(), w.cols()},
                           .begin = 0,
                           .end = a.rows,
                           .cols = w.cols(),
                           .groups = activation_groups(w),
                           .q = q.data()});
  std::vector<float> c(a.rows * w.rows());
  gemm({.q = q.data(), .w = w, .c = {c.data(), w.rows()}}, epilogue, tile);
  return c;
}

std::vector<float> run(const Kernels& kernels, const Activations& a, const BlockMatrix& w,
                       const Epilogue& epilogue = {}) {
  return run(kernels, kernels.gemm_blocks, a, w, epilogue, {0, a.rows, 0, w.panels()});
}

// The rounded values of a group of activations.
std::vector<double> rounded(const float* x, size_t count) {
  float largest = 0;
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, std::fabs(x[i]));
  std::vector<double> values(count);
  for (size_t i = 0; i < count && largest != 0; ++i) {
    const float steps = x[i] * (127.0f / largest);
    values[i] = std::nearbyint(double{steps}) * double{largest / 127.0f};
  }
  return values;
}

class GemmBlocksOf : public EachVariant {};

// The scalar kernel, too, against the rows as they read and the formula in double.
TEST_P(GemmBlocksOf, EqualsTheFormula) {
  Random random(1);
  const auto check = [&](const BlockMatrix::Layout& layout) {
    const BlockMatrix w = random_blocks(layout, random);
    const Activations a = activations(4, layout.cols, random);
    const std::vector<float> bias = random.numbers(layout.rows), residual = random.numbers(a.rows * layout.rows);
    const std::vector<float> c =
        run(kernels(), a, w, {.alpha = 0.5f, .bias = bias.data(), .residual = {residual.data(), layout.rows}});
    std::vector<float> row(layout.cols);
    for (size_t m = 0; m < a.rows; ++m) {
      std::vector<double> x;
      const size_t group = layout.has_super_blocks() ? BlockMatrix::kSuperBlock : layout.block;
      for (size_t k = 0; k < layout.cols; k += group) {
        const std::vector<double> values = rounded(a.x.data() + m * layout.cols + k, group);
        x.insert(x.end(), values.begin(), values.end());
      }
      for (size_t n = 0; n < layout.rows; ++n) {
        w.read_row(n, row.data());
        double sum = 0, magnitudes = 2;
        for (size_t k = 0; k < layout.cols; ++k) {
          sum += x[k] * double{row[k]};
          magnitudes += 2 * std::fabs(x[k]) * (std::fabs(double{row[k]}) + 1);
        }
        const double expected = sum / 2 + double{bias[n]} + double{residual[m * layout.rows + n]};
        ASSERT_NEAR(double{c[m * layout.rows + n]}, expected, magnitudes * 16 * 0x1p-24) << text_of(layout);
      }
    }
  };
  for_all_layouts(19, 2, check);
  for_all_super_blocks(19, 2, check);
}

TEST_P(GemmBlocksOf, EqualsTheScalarKernelBitForBit) {
  Random random(2);
  for (size_t rows = 1; rows <= 13; ++rows) {
    const auto check = [&](const BlockMatrix::Layout& layout) {
      for (const bool extreme : {false, true}) {
        const BlockMatrix w = random_blocks(layout, random, extreme);
        const Activations a =
            extreme ? extreme_activations(rows, layout.cols, random) : activations(rows, layout.cols, random);
        ASSERT_TRUE(same_bits(run(kernels(), a, w), run(scalar_kernels(), a, w)))
            << rows << " rows, " << text_of(layout);
      }
    };
    for_all_layouts(1 + 7 * rows % 31, rows % 3 + 1, check);
    for_all_super_blocks(1 + 7 * rows % 31, rows % 3 + 1, check);
  }
}

TEST_P(GemmBlocksOf, ARowHasTheSameBitsInAnyTile) {
  Random random(3);
  const auto check = [&](const BlockMatrix::Layout& layout) {
    const BlockMatrix w = random_blocks(layout, random);
    const Activations a = activations(23, w.cols(), random);
    const Epilogue epilogue = {.activation = Activation::gelu_erf};
    const std::vector<float> all = run(kernels(), a, w, epilogue);
    for (size_t row = 0; row < a.rows; ++row) {
      const size_t rows = std::min<size_t>(static_cast<size_t>(random.integer(1, 9)), a.rows - row);
      const size_t begin = static_cast<size_t>(random.integer(0, static_cast<int>(w.panels()) - 1));
      const size_t end = static_cast<size_t>(random.integer(static_cast<int>(begin) + 1, static_cast<int>(w.panels())));
      const std::vector<float> part =
          run(kernels(), kernels().gemm_blocks, a, w, epilogue, {row, row + rows, begin, end});
      for (size_t i = 0; i < part.size(); ++i) {
        const size_t m = i / w.rows(), panel = i % w.rows() / kPanelRows;
        const bool inside = m >= row && m < row + rows && panel >= begin && panel < end;
        ASSERT_EQ(part[i], inside ? all[i] : 0) << i;
      }
    }
  };
  for (const BlockBits bits : {BlockBits::four, BlockBits::five, BlockBits::eight}) {
    check({.bits = bits, .rows = 45, .cols = 96, .has_offsets = true});
  }
  for_all_super_blocks(45, 1, check);
}

TEST_P(GemmBlocksOf, ANonFiniteBlockGivesNanAndOtherRowsStay) {
  Random random(4);
  for (const BlockBits bits : {BlockBits::four, BlockBits::five, BlockBits::eight}) {
    const BlockMatrix w = plain_blocks({.bits = bits, .rows = 21, .cols = 64}, random).packed();
    Activations a = activations(7, w.cols(), random);
    const std::vector<float> clean = run(kernels(), a, w);
    a.x[1 * w.cols() + 40] = NAN;
    a.x[3 * w.cols() + 2] = -INFINITY;
    std::fill_n(a.x.begin() + 5 * 64, 64, 0.0f);
    const std::vector<float> c = run(kernels(), a, w);
    for (size_t i = 0; i < c.size(); ++i) {
      const size_t m = i / w.rows();
      if (m == 1 || m == 3) {
        EXPECT_TRUE(std::isnan(c[i])) << m;
      } else {
        EXPECT_EQ(c[i], m == 5 ? 0 : clean[i]) << m;
      }
    }
  }
}

// One weight is 1 and all others 0: a result is an activation as it was rounded.
TEST_P(GemmBlocksOf, ActivationsAreRoundedToTheNearestOf127Steps) {
  Random random(5);
  for (const size_t block : {5, 16, 32}) {
    PlainBlocks plain = {.layout = {.bits = BlockBits::eight, .rows = block, .cols = block, .block = block}};
    plain.q.resize(block * block);
    for (size_t k = 0; k < block; ++k) plain.q[k * block + k] = 1;
    plain.scales.assign(block, 1);
    const Activations a = activations(50, block, random);
    const std::vector<float> c = run(kernels(), a, plain.packed());
    for (size_t m = 0; m < a.rows; ++m) {
      const std::vector<double> expected = rounded(a.x.data() + m * block, block);
      for (size_t k = 0; k < block; ++k) ASSERT_NEAR(double{c[m * block + k]}, expected[k], 0x1p-23);
    }
  }
}

QUINTET_FOR_EACH_VARIANT(GemmBlocksOf);

#if QUINTET_RELAXED
// A machine chooses one of these. The one with a fused dot is right for 8 bits where it reads whole bytes.
TEST(RelaxedGemmBlocks, BothFormsOfTheDotProductAreRight) {
  const Kernels& kernels = *compiled_kernels().back();
  ASSERT_EQ(kernels.name, "relaxed");
  const auto expect_right = [&](GemmBlocks* form, bool with_bytes) {
    Random random(6);
    for (size_t rows = 1; rows <= 11; ++rows) {
      const auto check = [&](const BlockMatrix::Layout& layout) {
        if (layout.bits == BlockBits::eight && !with_bytes) return;
        const bool extreme = rows % 2 == 0;
        const BlockMatrix w = random_blocks(layout, random, extreme);
        const Activations a =
            extreme ? extreme_activations(rows, layout.cols, random) : activations(rows, layout.cols, random);
        const std::vector<float> expected = run(scalar_kernels(), a, w);
        ASSERT_TRUE(same_bits(run(kernels, form, a, w, {}, {0, rows, 0, w.panels()}), expected)) << text_of(layout);
      };
      for_all_layouts(21, 2, check);
      for_all_super_blocks(21, 1, check);
    }
  };
  const auto expect_all_right = [&] {
    expect_right(relaxed::gemm_blocks_paired, true);
    expect_right(relaxed::gemm_blocks_fused, relaxed::relaxed_dot() != relaxed::RelaxedDot::paired);
    expect_right(kernels.gemm_blocks, true);
  };
  expect_all_right();
#if !defined(__wasm__)
  ASSERT_EQ(relaxed::relaxed_dot(), relaxed::RelaxedDot::fused_signed);
  fused_dot_is_unsigned = true;
  ASSERT_EQ(relaxed::relaxed_dot(), relaxed::RelaxedDot::fused_unsigned);
  expect_all_right();
  fused_dot_is_unsigned = false;
#endif
}
#endif

}  // namespace
}  // namespace quintet::testing
