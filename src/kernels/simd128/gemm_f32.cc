#include "kernels/generic/gemm_f32.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// A product needs a register of its own before it is added: six rows would spill.
constexpr size_t kMostRows = 4;

}  // namespace

void gemm_f32(const float* a, size_t a_stride, const PackedMatrix& w, float* c, size_t c_stride,
              const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_f32<Arithmetic, kMostRows>(a, a_stride, w, c, c_stride, epilogue, tile);
}

void gemm_panels_f32(const float* a, size_t a_stride, size_t m, const float* panels, size_t n, size_t k, float* c,
                     size_t c_stride, const Epilogue& epilogue) {
  const GemmTile whole = {0, m, 0, (n + kPanelRows - 1) / kPanelRows};
  generic::gemm_f32<Arithmetic, generic::PanelF32, kMostRows>({a, a_stride, k, n, c, c_stride}, panels, epilogue,
                                                              whole);
}

}  // namespace quintet::simd128
