#pragma once
// The direct convolution of a statically quantized layer as products of bytes, for processors with a fused dot product
// (Kernels::has_fused_dot). Windows are copied (im2col) and the weights rearranged, both in quads of bytes, so that
// the inner loop reads each of them through one pointer. The weights must have a zero point of 0.

#include <cstddef>
#include <cstdint>

#include "kernels/convolution.h"
#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {

// The number of windows that are interleaved, and multiplied at once.
constexpr size_t kInterleavedWindows = 6;

// The quads of a window, or of one row of a panel. Each segment is padded to whole quads.
inline size_t interleaved_quads(const PairedMatrix& w) { return w.segments() * ((w.length() + kQuad - 1) / kQuad); }

// The size of kInterleavedWindows windows: [quads][kInterleavedWindows][kQuad].
inline size_t interleaved_window_bytes(const PairedMatrix& w) {
  return interleaved_quads(w) * kInterleavedWindows * kQuad;
}

// The size of a panel: [quads][kPanelRows][kQuad] weights, followed by the sum of the weights of each row in int32.
inline size_t interleaved_panel_bytes(const PairedMatrix& w) { return (interleaved_quads(w) + 1) * kPanelRows * kQuad; }

struct InterleaveWindowsOperands {
  const int16_t* input;  // activations minus their zero point; both are in 0 to 255
  const Im2colView& view;
  int32_t zero_point;
  size_t begin, end;
  uint8_t* q;
};

// Copies windows [begin, end): q = input + zero_point, in the form that convolve_i8 of the same variant reads. The last
// window is repeated to fill its group.
using InterleaveWindows = void(const InterleaveWindowsOperands& operands);

// Rearranges panels [begin, end) of w. `out` must be aligned to 4 bytes.
using InterleavePanels = void(const PairedMatrix& w, size_t begin, size_t end, int8_t* out);

struct ConvolveI8Operands {
  const uint8_t* q;  // the windows of the tile, interleaved
  int32_t zero_point;
  const PairedMatrix& w;
  const int8_t* panels;  // of w from tile.panel_begin on, interleaved
  int16_t* output;
  const OutputGrid& grid;
};

// Computes the same integers as ConvolveI16.
using ConvolveI8 = void(const ConvolveI8Operands& operands, const StaticEpilogue& epilogue, const ConvTile& tile);

}  // namespace quintet
