#pragma once
// Common parts of all convolutions. They run over feature maps [height][width][channels], in which the channels of a
// pixel are contiguous.
//
// A map has a border (models/vision/feature_map.h): padding is part of the input, and each row of a window is
// contiguous in memory. So a convolution is a matrix product of windows and weights whose windows are never copied
// (implicit GEMM). Outputs are numbered row by row. Each depends only on its own window and is summed in a fixed order,
// so any division of work gives the same bits.

#include <cstddef>
#include <cstdint>
#include <limits>

namespace quintet {

// The matrix of windows, one row per output, as a view of the input. Positions are in values. The window of output i
// starts at first + i / width * line + i % width * step.
struct Im2colView {
  size_t rows;        // of a window
  size_t run;         // of one row of a window: kernel width * channels
  size_t row_stride;  // between rows of the input
  size_t step;        // between horizontally adjacent windows: stride * channels
  size_t line;        // between vertically adjacent windows: stride * row_stride
  size_t width;       // windows per line

  size_t offset(size_t output) const { return output / width * line + output % width * step; }
};

// The positions of outputs, in values.
struct OutputGrid {
  size_t height, width;
  size_t row_stride;
  size_t channels;  // between adjacent outputs

  size_t offset(size_t output) const { return output / width * row_stride + output % width * channels; }
};

// The part of a result that one call computes: outputs [begin, end), panels [panel_begin, panel_end) of the weights.
struct ConvTile {
  size_t begin, end;
  size_t panel_begin, panel_end;
};

// y = clamp(sum + bias + residual), added in this order: ReLU has a minimum of 0, ReLU6 a maximum of 6 too.
struct FloatEpilogue {
  const float* bias = nullptr;      // [channels]
  const float* residual = nullptr;  // in a map with the layout of the outputs; may be the outputs
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
};

// Conversion of a statically quantized layer's sums to activations (docs/formats/tinyruntime.md, "Values"). They are
// stored as q - zero_point: a border of zeros is padding, and products need no correction. Float steps are float32, in
// this order:
//   q = clamp(round_half_away(multiplier * float(sum + bias)) + zero_point, least, 255)
// With a residual, the sum of the block follows:
//   q = clamp(round_half_away((scale * float(q - zero_point) + residual_scale * float(residual)) / sum_scale) +
//             sum_zero_point, sum_zero_point, 255)
struct StaticEpilogue {
  const int32_t* bias = nullptr;  // [channels]
  float multiplier = 1;           // (weight_scale * input_scale) / output_scale
  int32_t zero_point = 0;
  int32_t min = 0;  // zero_point if a ReLU follows

  const int16_t* residual = nullptr;  // in a map with the layout of the outputs; may be the outputs
  float scale = 1;                    // of the output
  float residual_scale = 1;
  float sum_scale = 1;
  int32_t sum_zero_point = 0;
};

}  // namespace quintet
