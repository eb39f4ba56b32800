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

// Number of windows that are interleaved, and multiplied at once.
constexpr size_t kInterleavedWindows = 6;

// Of a window or of one row of a panel. Each segment is padded to whole quads.
inline size_t interleaved_quads(const PairedMatrix& w) { return w.segments() * ((w.length() + kQuad - 1) / kQuad); }

// Of kInterleavedWindows windows: [quads][kInterleavedWindows][kQuad].
inline size_t interleaved_window_bytes(const PairedMatrix& w) {
  return interleaved_quads(w) * kInterleavedWindows * kQuad;
}

// Of a panel: [quads][kPanelRows][kQuad] weights, followed by the sum of the weights of each row in int32.
inline size_t interleaved_panel_bytes(const PairedMatrix& w) { return (interleaved_quads(w) + 1) * kPanelRows * kQuad; }

// q: input + zero_point, for windows [begin, end), in the form that convolve_i8 of the same variant reads. `input`
// holds activations minus their zero point; both are in 0 to 255. The last window is repeated to fill its group.
using InterleaveWindows = void(const int16_t* input, const Im2colView& view, int32_t zero_point, size_t begin,
                               size_t end, uint8_t* q);

// Panels [begin, end) of w. `out` must be aligned to 4 bytes.
using InterleavePanels = void(const PairedMatrix& w, size_t begin, size_t end, int8_t* out);

// The same integers as ConvolveI16, for the windows of the tile. `panels`: from tile.panel_begin on.
using ConvolveI8 = void(const uint8_t* q, int32_t zero_point, const PairedMatrix& w, const int8_t* panels,
                        int16_t* output, const OutputGrid& grid, const StaticEpilogue& epilogue, const ConvTile& tile);

}  // namespace quintet
