#pragma once
// Views of rows of floats: of a whole matrix, or of some of its columns. A stride is a distance in elements.

#include <cstddef>

namespace quintet {

struct ConstRows {
  const float* row(size_t i) const { return data + i * stride; }
  ConstRows from_row(size_t i) const { return {row(i), stride}; }
  ConstRows from_column(size_t i) const { return {data + i, stride}; }

  const float* data;
  size_t stride;
};

struct Rows {
  float* row(size_t i) const { return data + i * stride; }
  Rows from_row(size_t i) const { return {row(i), stride}; }
  Rows from_column(size_t i) const { return {data + i, stride}; }
  operator ConstRows() const { return {data, stride}; }

  float* data;
  size_t stride;
};

}  // namespace quintet
