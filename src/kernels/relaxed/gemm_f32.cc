#include "kernels/generic/gemm_f32.h"

#include <type_traits>

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

struct Variant {
  template <class Panel, size_t kRows, size_t kPanels>
  static constexpr auto kTile = generic::tile_f32<Arithmetic, Panel, kRows, kPanels>;

  // Six rows: 12 sums, two weights and one activation are 15 of the 16 registers of x86-64, the last of which the
  // engine needs. 16-bit weights need registers for widening, so tiles with that many rows help them little.
  template <class Panel>
  static constexpr auto kTiles = [] {
    using Operands = generic::OperandsF32<Panel>;
    if constexpr (std::is_same_v<Panel, generic::PanelF32>) {
      return generic::Tiles<Operands, 6>{
          kTile<Panel, 1, 4>, kTile<Panel, 2, 3>, kTile<Panel, 3, 2>, kTile<Panel, 4, 1>, nullptr, kTile<Panel, 6, 1>};
    } else if constexpr (std::is_same_v<Panel, generic::PanelAnyF16>) {
      return generic::Tiles<Operands, 1>{kTile<Panel, 1, 1>};  // rare
    } else {
      return generic::Tiles<Operands, 4>{kTile<Panel, 1, 4>, kTile<Panel, 2, 3>, kTile<Panel, 3, 2>,
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

}  // namespace quintet::relaxed
