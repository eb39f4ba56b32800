#include "kernels/generic/convolve_f32.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// As in gemm_f32.cc.
struct Variant {
  template <size_t kRows, size_t kPanels>
  static constexpr auto kTile = generic::convolve_tile<Arithmetic, kRows, kPanels>;
  static constexpr generic::Tiles<generic::ConvolutionF32, 4, FloatEpilogue> kTiles = {kTile<1, 4>, kTile<2, 2>,
                                                                                       kTile<3, 1>, kTile<4, 1>};
};

}  // namespace

void convolve_f32(const float* input, const Im2colView& view, const PackedMatrix& w, float* output,
                  const OutputGrid& grid, const FloatEpilogue& epilogue, const ConvTile& tile) {
  generic::convolve_f32<Variant>(input, view, w, output, grid, epilogue, tile);
}

}  // namespace quintet::simd128
