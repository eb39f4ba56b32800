#include "kernels/generic/gemm_i8.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/relaxed/interleaved_dot.h"
#include "kernels/relaxed/relaxed_dot.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

template <class Dot, size_t kRows, size_t kPanels>
constexpr auto kTile = generic::tile_i8<Arithmetic, Dot, kRows, kPanels>;

constexpr generic::Tiles<generic::OperandsI8, kGemmI8Rows> kFusedTiles = {
    kTile<FusedDot, 1, 4>, kTile<FusedDot, 2, 2>, kTile<FusedDot, 3, 1>, kTile<FusedDot, 4, 1>, nullptr,
    kTile<FusedDot, 6, 1>};
constexpr generic::Tiles<generic::OperandsI8, kGemmI8Rows> kPairedTiles = {
    kTile<PairedDot, 1, 1>, kTile<PairedDot, 2, 1>, kTile<PairedDot, 3, 1>, kTile<PairedDot, 4, 1>, nullptr,
    kTile<PairedDot, 6, 1>};

}  // namespace

void gemm_i8_fused(const GemmI8Operands& operands, const Epilogue& epilogue, PanelRange panels) {
  generic::gemm_i8(kFusedTiles, {operands, nullptr}, epilogue, panels);
}

void gemm_i8_paired(const GemmI8Operands& operands, const Epilogue& epilogue, PanelRange panels) {
  const float* const squares = squares_of(operands.q, operands.rows, operands.w.quads());
  generic::gemm_i8(kPairedTiles, {operands, squares}, epilogue, panels);
}

void gemm_i8(const GemmI8Operands& operands, const Epilogue& epilogue, PanelRange panels) {
  GemmI8* const faster = relaxed_dot() == RelaxedDot::paired ? gemm_i8_paired : gemm_i8_fused;
  faster(operands, epilogue, panels);
}

}  // namespace quintet::relaxed
