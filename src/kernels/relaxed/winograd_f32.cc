#include "kernels/generic/winograd_f32.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

template <size_t kTiles>
constexpr auto kProducts = generic::winograd_products<Arithmetic, kTiles>;
constexpr std::array<generic::WinogradProducts, 6> kTable = {kProducts<1>, kProducts<2>, kProducts<3>,
                                                             kProducts<4>, nullptr,      kProducts<6>};

}  // namespace

void winograd_multiply_f32(const WinogradOperands<float>& operands, const FloatEpilogue& epilogue,
                           const ConvTile& tile) {
  generic::winograd_multiply_f32(kTable, operands, epilogue, tile);
}

}  // namespace quintet::relaxed
