#pragma once
// Views of parts of matrices.

#include <cstddef>

namespace quintet {

// Rows of floats: of a whole matrix, or of some of its columns. The stride is a distance in elements.
struct ConstRows {
  const float* row(size_t i) const { return data + i * stride; }
  ConstRows from(size_t column) const { return {data + column, stride}; }

  const float* data;
  size_t stride;
};

struct Rows {
  float* row(size_t i) const { return data + i * stride; }
  Rows from(size_t column) const { return {data + column, stride}; }
  operator ConstRows() const { return {data, stride}; }

  float* data;
  size_t stride;
};

// Panels [begin, end) of weights.
struct PanelRange {
  size_t begin, end;
};

}  // namespace quintet
