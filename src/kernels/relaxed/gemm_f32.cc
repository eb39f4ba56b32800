#include "kernels/generic/gemm_f32.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// 12 sums, two weights and one activation fill 15 of the 16 registers of x86-64 (one belongs to the engine).
constexpr size_t kMostRows = 6;

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

}  // namespace quintet::relaxed
