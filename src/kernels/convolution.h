#pragma once
// Convolutions over feature maps [height][width][channels], whose pixels' channels lie together, as tables of functions
// like those of kernels.h.
//
// A map has a border (models/resnet/feature_map.h): padding is part of the input, and each row of a window is one run
// of memory. So a convolution is a matrix product of windows and weights whose windows are never copied (implicit
// GEMM). Outputs are numbered row by row; each depends only on its own window and is summed in an order of its own, so
// that any division of work gives the same bits.

#include <cstddef>
#include <cstdint>

#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {

// Where the windows of the outputs lie, in values. The window of output i begins at first + i / width * line + i %
// width
// * step.
struct Windows {
  size_t rows;        // of a window
  size_t run;         // of one row of a window: kernel width * channels
  size_t row_stride;  // between rows of the input
  size_t step;        // between windows side by side: stride * channels
  size_t line;        // between windows one below the other: stride * row_stride
  size_t width;       // windows side by side

  size_t offset(size_t output) const { return output / width * line + output % width * step; }
};

// Where outputs lie, in values.
struct OutputGrid {
  size_t height, width;
  size_t row_stride;
  size_t channels;  // between outputs side by side

  size_t offset(size_t output) const { return output / width * row_stride + output % width * channels; }
};

// Outputs [begin, end), times panels [panel_begin, panel_end) of the weights: what one call computes.
struct ConvTile {
  size_t begin, end;
  size_t panel_begin, panel_end;
};

// y = relu(sum + bias + residual), added in this order.
struct FloatEpilogue {
  const float* bias = nullptr;      // [channels]
  const float* residual = nullptr;  // where the outputs lie in a map like theirs, which may be theirs
  bool relu = false;
};

// How sums of a statically quantized layer become activations (RULINGS "tinyRuntime" 5), which are kept as q -
// zero_point: a border of zeros is padding, and products need no correction. Float steps are float32, as written:
//   q = clamp(round_half_away(multiplier * float(sum + bias)) + zero_point, least, 255)
// With a residual the block's sum follows:
//   q = clamp(round_half_away((scale * float(q - zero_point) + residual_scale * float(residual)) / sum_scale) +
//             sum_zero_point, sum_zero_point, 255)
struct StaticEpilogue {
  const int32_t* bias = nullptr;  // [channels]
  float multiplier = 1;           // (weight_scale * input_scale) / output_scale
  int32_t zero_point = 0;
  int32_t least = 0;  // zero_point where a ReLU follows

  const int16_t* residual = nullptr;  // where the outputs lie in a map like theirs, which may be theirs
  float scale = 1;                    // of the output
  float residual_scale = 1;
  float sum_scale = 1;
  int32_t sum_zero_point = 0;
};

// Winograd's F(2x2, 3x3) (Lavin and Gray 2015, arXiv:1509.09308) for windows of 3x3, one apart: four outputs, a tile,
// of sixteen products instead of 36. Tiles are numbered row by row, ceil(width / 2) in a row.
constexpr size_t kWinogradTaps = 16;

// Values of a tap of a panel's transformed int8 weights. The padding keeps taps from lying at powers of two, where the
// cache could not hold a line of each.
constexpr size_t static_tap_values(size_t channels) {
  constexpr size_t kPadding = 32;
  return channels * kPanelRows + kPadding;
}

struct WinogradTiles {
  size_t row_stride;  // of the input, in values
  size_t channels;
  size_t tiles_in_row;
  size_t begin, end;
};

struct FloatConvolutionKernels {
  // output = epilogue(window . w^T), w [channels out][rows * run] in f32 panels. `input`: where the first window
  // begins.
  void (*convolve)(const float* input, const Windows& windows, const PackedMatrix& w, float* output,
                   const OutputGrid& grid, const FloatEpilogue& epilogue, const ConvTile& tile);

  // v [tiles][16][channels] = B^T d B of the input's patches d of 4x4 pixels, two apart.
  void (*winograd_input)(const float* input, const WinogradTiles& tiles, float* v);
  // u [panels][16][channels][kPanelRows] = G g G^T of w [channels out][3][3][channels] for panels [begin, end).
  void (*winograd_weights)(const PackedMatrix& w, size_t channels, size_t begin, size_t end, float* u);
  // output = epilogue(A^T (sum over channels of v * u) A). tile.begin and tile.end count tiles here; v begins with the
  // first of them, u with the first panel.
  void (*winograd_multiply)(const float* v, const float* u, size_t channels, float* output, const OutputGrid& grid,
                            const FloatEpilogue& epilogue, const ConvTile& tile);

  // Windows of 3x3, two apart: `input` is where the first begins. The grid's channels are all computed. A border of
  // zeros takes part, which changes nothing behind a ReLU.
  void (*max_pool)(const float* input, size_t row_stride, float* output, const OutputGrid& grid);
};

// Sums are 32-bit integers, modulo 2^32, exact in every variant.
struct StaticConvolutionKernels {
  // y = clamp(round_half_away(x / scale) + zero_point, 0, 255) - zero_point; what is no number becomes the zero point.
  void (*quantize)(const float* x, size_t count, float scale, int32_t zero_point, int16_t* y);

  // As in FloatConvolutionKernels. `panels`: the widened panels of w from tile.panel_begin on.
  void (*convolve)(const int16_t* input, const Windows& windows, const PairedMatrix& w, const int16_t* panels,
                   int16_t* output, const OutputGrid& grid, const StaticEpilogue& epilogue, const ConvTile& tile);

  // channels: even. v as above, in at most 11 bits.
  void (*winograd_input)(const int16_t* input, const WinogradTiles& tiles, int16_t* v);
  // u [panels][16][static_tap_values(channels)], of which [channels / 2][kPanelRows][2] are (2G) g (2G)^T of g = w -
  // zero_point, w of three segments of three pixels: integers of at most 13 bits. So sums are four times as large as
  // they should be. What pads a tap is not written.
  void (*winograd_weights)(const PairedMatrix& w, size_t channels, size_t begin, size_t end, int16_t* u);
  // Requires that four times each sum fits 32 bits.
  void (*winograd_multiply)(const int16_t* v, const int16_t* u, size_t channels, int16_t* output,
                            const OutputGrid& grid, const StaticEpilogue& epilogue, const ConvTile& tile);

  void (*max_pool)(const int16_t* input, size_t row_stride, int16_t* output, const OutputGrid& grid);
};

// Windows in the order of PyTorch's im2col, [channels][rows][columns], cut into groups that are quantized as they are
// met (RULINGS "tinyRuntime" 4).
struct WindowGroups {
  size_t channels;
  size_t group;  // values of a group; divides the window
  bool asymmetric;
};

struct GroupedConvolutionKernels {
  // q [end - begin][groups][group, padded with zeros to whole pairs] = quantized value - zero point, scales
  // [end - begin][groups], of windows [begin, end). Float steps are float32 with true divisions, as in the reference.
  void (*quantize_windows)(const float* input, const Windows& windows, const WindowGroups& groups, size_t begin,
                           size_t end, int16_t* q, float* scales);

  // output = epilogue(sum over groups, in order, of (float(dot) * scale of the window's group) * scale of the weights'
  // group), of windows from tile.begin on. `panels`: the widened panels of w from tile.panel_begin on.
  void (*multiply)(const int16_t* q, const float* scales, const PairedMatrix& w, const int16_t* panels, float* output,
                   const OutputGrid& grid, const FloatEpilogue& epilogue, const ConvTile& tile);
};

// out [panels][segments][pairs][kPanelRows][2] = w - zero point for panels [begin, end); zero where w has no value.
using WidenPanels = void (*)(const PairedMatrix& w, size_t begin, size_t end, int16_t* out);

}  // namespace quintet
