#include "kernels/generic/gemm_f32.h"

#include <type_traits>

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

struct Variant {
  template <class Panel, size_t kRows, size_t kPanels>
  static constexpr auto kTile = generic::tile_f32<Arithmetic, Panel, kRows, kPanels>;

  // A product needs its own register before it is added: six rows would spill.
  template <class Panel>
  static constexpr auto kTiles = [] {
    using Operands = generic::OperandsF32<Panel>;
    if constexpr (std::is_same_v<Panel, generic::PanelAnyF16>) {
      return generic::Tiles<Operands, 1>{kTile<Panel, 1, 1>};  // rare
    } else {
      return generic::Tiles<Operands, 4>{kTile<Panel, 1, 4>, kTile<Panel, 2, 2>, kTile<Panel, 3, 1>,
                                         kTile<Panel, 4, 1>};
    }
  }();
};

}  // namespace

void gemm_f32(const GemmF32Operands& operands, const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_f32<Variant>(operands, epilogue, tile);
}

void gemm_panels_f32(const GemmPanelsF32Operands& operands, const Epilogue& epilogue) {
  generic::gemm_panels_f32<Variant>(operands, epilogue);
}

}  // namespace quintet::simd128
