#include "kernels/generic/convolve_f32.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// The tiles are those of gemm_f32.cc.
struct Variant {
  template <size_t kRows, size_t kPanels>
  static constexpr auto kTile = generic::convolve_tile<Arithmetic, kRows, kPanels>;
  static constexpr generic::Tiles<ConvolveF32Operands, 4, FloatEpilogue> kTiles = {kTile<1, 4>, kTile<2, 2>,
                                                                                   kTile<3, 1>, kTile<4, 1>};
};

}  // namespace

void convolve_f32(const ConvolveF32Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile) {
  generic::convolve_f32<Variant>(operands, epilogue, tile);
}

}  // namespace quintet::simd128
