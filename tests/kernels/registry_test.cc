#include "kernels/registry.h"

#include <cmath>

#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

TEST(Registry, BeginsWithTheDefinitionAndNamesAreUnique) {
  const auto all = compiled_kernels();
  ASSERT_EQ(all.size(), QUINTET_RELAXED ? 3u : 2u);
  EXPECT_EQ(all[0]->name, "scalar");
  EXPECT_EQ(all[1]->name, "simd128");
  EXPECT_EQ(all.back()->name, QUINTET_RELAXED ? "relaxed" : "simd128");
}

TEST(Registry, TheLastIsInUseUntilAnotherIsForced) {
  EXPECT_EQ(&active_kernels(), compiled_kernels().back());
  for (const Kernels* kernels : compiled_kernels()) {
    EXPECT_TRUE(force_kernels(kernels->name));
    EXPECT_EQ(&active_kernels(), kernels);
  }
  EXPECT_TRUE(force_kernels("scalar"));
  EXPECT_FALSE(force_kernels("avx512"));
  EXPECT_FALSE(force_kernels(""));
  EXPECT_EQ(active_kernels().name, "scalar");
  EXPECT_TRUE(force_kernels(compiled_kernels().back()->name));
}

class SelfTest : public EachVariant {
 protected:
  // One that is right but for one element.
  static void spoiled_gemm_i8(const uint8_t* q, const float* scales, const PackedMatrix& w, float* c, size_t c_stride,
                              const Epilogue& epilogue, const GemmTile& tile) {
    scalar_kernels().gemm_i8(q, scales, w, c, c_stride, epilogue, tile);
    float& last = c[(tile.row_end - 1) * c_stride + w.rows() - 1];
    last = std::nextafter(last, 1e9f);
  }
  static void spoiled_softmax_rows(float* x, size_t x_stride, size_t rows, size_t cols) {
    scalar_kernels().softmax_rows(x, x_stride, rows, cols);
    x[(rows - 1) * x_stride + cols - 1] *= 1.05f;
  }
};

TEST_P(SelfTest, GoodKernelsPass) { EXPECT_EQ(self_test(kernels()), std::nullopt); }

TEST_P(SelfTest, ABrokenKernelIsNamed) {
  const auto idle = [](auto...) {};
  const auto broken = [&](auto Kernels::* kernel, auto function) {
    Kernels table = kernels();
    table.*kernel = function;
    return self_test(table).value_or("none");
  };
  EXPECT_EQ(broken(&Kernels::gemm_f32, idle), "gemm_f32");
  EXPECT_EQ(broken(&Kernels::gemm_panels_f32, idle), "gemm_panels_f32");
  EXPECT_EQ(broken(&Kernels::gemm_i8, idle), "gemm_i8");
  // Its last bit counts: integers leave nothing to tolerate.
  if (kernels().name == "scalar") {
    EXPECT_EQ(broken(&Kernels::gemm_i8, spoiled_gemm_i8), "gemm_i8");
  }
  EXPECT_EQ(broken(&Kernels::quantize_rows, idle), "quantize_rows");
  EXPECT_EQ(broken(&Kernels::softmax_rows, idle), "softmax_rows");
  EXPECT_EQ(broken(&Kernels::softmax_rows, spoiled_softmax_rows), "softmax_rows");
  EXPECT_EQ(broken(&Kernels::layer_norm_rows, idle), "layer_norm_rows");
  EXPECT_EQ(broken(&Kernels::pack_rows, idle), "pack_rows");
  EXPECT_EQ(broken(&Kernels::pack_columns, idle), "pack_columns");
  EXPECT_EQ(broken(&Kernels::quantize_blocks, idle), "quantize_blocks");
  EXPECT_EQ(broken(&Kernels::gemm_blocks, idle), "gemm_blocks");
  EXPECT_EQ(broken(&Kernels::gemm_adaptive, idle), "gemm_adaptive");
  EXPECT_EQ(broken(&Kernels::rms_norm_rows, idle), "rms_norm_rows");
  EXPECT_EQ(broken(&Kernels::rotate_heads, idle), "rotate_heads");
  EXPECT_EQ(broken(&Kernels::gate_elements, idle), "gate_elements");
  EXPECT_EQ(broken(&Kernels::kv_scores, idle), "kv_scores");
  EXPECT_EQ(broken(&Kernels::kv_mix, idle), "kv_mix");
}

TEST_P(SelfTest, ABrokenFloatConvolutionIsNamed) {
  const auto idle = [](auto...) {};
  const auto broken = [&](auto FloatConvolutionKernels::* kernel) {
    Kernels table = kernels();
    table.float_convolution.*kernel = idle;
    return self_test(table).value_or("none");
  };
  EXPECT_EQ(broken(&FloatConvolutionKernels::convolve), "convolve_f32");
  EXPECT_EQ(broken(&FloatConvolutionKernels::winograd_input), "winograd_input_f32");
  EXPECT_EQ(broken(&FloatConvolutionKernels::winograd_weights), "winograd_weights_f32");
  EXPECT_EQ(broken(&FloatConvolutionKernels::winograd_multiply), "winograd_multiply_f32");
  EXPECT_EQ(broken(&FloatConvolutionKernels::max_pool), "max_pool_f32");
}

// A network's table has no other kernels, whose checks must not run.
TEST(SelfTests, OfNetworksTestConvolutionsAlone) {
  const auto wrong = [](auto set, const auto& spoil) {
    Kernels table = *compiled_kernels<decltype(set)::value>().back();
    spoil(table);
    return self_test<decltype(set)::value>(table).value_or("none");
  };
  const auto check = [&](auto set) {
    EXPECT_EQ(wrong(set, [](Kernels&) {}), "none");
    EXPECT_EQ(wrong(set, [](Kernels& table) { table.float_convolution.convolve = [](auto...) {}; }), "convolve_f32");
  };
  check(std::integral_constant<KernelSet, KernelSet::network>());
  check(std::integral_constant<KernelSet, KernelSet::calibration>());
}

QUINTET_FOR_EACH_VARIANT(SelfTest);

}  // namespace
}  // namespace quintet::testing
