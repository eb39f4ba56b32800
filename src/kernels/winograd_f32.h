#pragma once
// Winograd's F(2x2, 3x3) (Lavin and Gray 2015, arXiv:1509.09308) for 3x3 windows with stride one: four outputs, a tile,
// from sixteen products instead of 36. Tiles are numbered row by row, ceil(width / 2) per row.

#include "kernels/convolution.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

constexpr size_t kWinogradTaps = 16;

// Tiles [begin, end) of an input.
struct WinogradTiles {
  size_t row_stride;  // of the input, in values
  size_t channels;
  size_t tiles_in_row;
  size_t begin, end;
};

// v [tiles][16][channels] = B^T d B of the input's patches d of 4x4 pixels, two apart.
using WinogradInputF32 = void(const float* input, const WinogradTiles& tiles, float* v);

// u [panels][16][channels][kPanelRows] = G g G^T of w [channels out][3][3][channels] for panels [begin, end).
using WinogradWeightsF32 = void(const PackedMatrix& w, size_t channels, size_t begin, size_t end, float* u);

// The transforms of some inputs and weights.
template <class T>
struct WinogradOperands {
  const T* v;  // from tile.begin on
  const T* u;  // from tile.panel_begin on
  size_t channels;
  T* output;
  const OutputGrid& grid;
};

// output = epilogue(A^T (sum over channels of v * u) A). tile.begin and tile.end count tiles here.
using WinogradMultiplyF32 = void(const WinogradOperands<float>& operands, const FloatEpilogue& epilogue,
                                 const ConvTile& tile);

}  // namespace quintet
