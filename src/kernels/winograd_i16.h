#pragma once
// Winograd's algorithm (kernels/winograd_f32.h) for statically quantized layers. Sums are 32-bit integers, modulo 2^32,
// exact in every variant. The number of channels must be even.

#include "kernels/winograd_f32.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {

// The number of values of a tap in a panel's transformed weights. The padding keeps taps away from powers of two, where
// the cache could not hold a line of each.
constexpr size_t static_tap_values(size_t channels) {
  constexpr size_t kPadding = 32;
  return channels * kPanelRows + kPadding;
}

// Computes v of WinogradInputF32, in at most 11 bits.
using WinogradInputI16 = void(const int16_t* input, const WinogradTiles& tiles, int16_t* v);

// u [panels][16][static_tap_values(channels)], of which [channels / 2][kPanelRows][2] are (2G) g (2G)^T of g = w -
// zero_point, w of three segments of three pixels: integers of at most 13 bits. So sums are four times too large. The
// padding of a tap is not written.
using WinogradWeightsI16 = void(const PairedMatrix& w, size_t channels, size_t begin, size_t end, int16_t* u);

// Computes what WinogradMultiplyF32 does. Four times each sum must fit 32 bits.
using WinogradMultiplyI16 = void(const WinogradOperands<int16_t>& operands, const StaticEpilogue& epilogue,
                                 const ConvTile& tile);

}  // namespace quintet
