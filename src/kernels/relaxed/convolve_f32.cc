#include "kernels/generic/convolve_f32.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// As in gemm_f32.cc.
struct Variant {
  template <size_t kRows, size_t kPanels>
  static constexpr auto kTile = generic::convolve_tile<Arithmetic, kRows, kPanels>;
  static constexpr generic::Tiles<generic::ConvolutionF32, 6, FloatEpilogue> kTiles = {
      kTile<1, 4>, kTile<2, 3>, kTile<3, 2>, kTile<4, 1>, nullptr, kTile<6, 1>};
};

}  // namespace

void convolve_f32(const float* input, const Im2colView& view, const PackedMatrix& w, float* output,
                  const OutputGrid& grid, const FloatEpilogue& epilogue, const ConvTile& tile) {
  generic::convolve_f32<Variant>(input, view, w, output, grid, epilogue, tile);
}

}  // namespace quintet::relaxed
