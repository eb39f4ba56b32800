// The self-test sees kernels of statically quantized networks that do nothing.

#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

class StaticSelfTest : public EachVariant {};

TEST_P(StaticSelfTest, ABrokenKernelIsNamed) {
  const auto idle = [](auto...) {};
  const auto broken = [&](auto StaticConvolutionKernels::* kernel) {
    Kernels table = kernels();
    table.static_convolution.*kernel = idle;
    return self_test(table).value_or("none");
  };
  EXPECT_EQ(broken(&StaticConvolutionKernels::quantize), "quantize_static");
  EXPECT_EQ(broken(&StaticConvolutionKernels::convolve), "convolve_i16");
  EXPECT_EQ(broken(&StaticConvolutionKernels::winograd_input), "winograd_input_i16");
  EXPECT_EQ(broken(&StaticConvolutionKernels::winograd_weights), "winograd_weights_i16");
  EXPECT_EQ(broken(&StaticConvolutionKernels::winograd_multiply), "winograd_multiply_i16");
  EXPECT_EQ(broken(&StaticConvolutionKernels::max_pool), "max_pool_i16");
  Kernels table = kernels();
  table.widen_panels = idle;
  EXPECT_EQ(self_test(table).value_or("none"), "widen_panels");
}

QUINTET_FOR_EACH_VARIANT(StaticSelfTest);

}  // namespace
}  // namespace quintet::testing
