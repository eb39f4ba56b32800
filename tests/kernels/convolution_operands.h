#pragma once
// Convolutions for tests: sizes, and what follows from them.

#include <cstddef>
#include <ostream>

#include "kernels/convolution.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::testing {

// Over a map whose pixels, border included, are all given. Its rows, and those of the outputs, have a pixel more than
// windows reach.
struct ConvShape {
  size_t channels, outputs, kernel, stride, height, width;  // height and width of the outputs

  size_t input_row() const { return ((width - 1) * stride + kernel + 1) * channels; }
  size_t input_values() const { return ((height - 1) * stride + kernel + 1) * input_row(); }
  size_t window() const { return kernel * kernel * channels; }
  size_t panels() const { return (outputs + kPanelRows - 1) / kPanelRows; }
  size_t tiles_in_row() const { return (width + 1) / 2; }
  size_t tiles() const { return tiles_in_row() * ((height + 1) / 2); }

  Im2colView view() const {
    return {kernel, kernel * channels, input_row(), stride * channels, stride * input_row(), width};
  }
  OutputGrid grid() const { return {height, width, (width + 1) * outputs, outputs}; }
  size_t output_values() const { return height * grid().row_stride; }
};

inline void PrintTo(const ConvShape& s, std::ostream* out) {
  *out << s.channels << " channels, " << s.outputs << " outputs, kernel " << s.kernel << ", stride " << s.stride << ", "
       << s.height << " x " << s.width;
}

}  // namespace quintet::testing
