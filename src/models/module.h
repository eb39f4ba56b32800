#pragma once
// The weights of linear layers and norms, with any type of matrices.

#include <cstddef>

#include "base/aligned_buffer.h"
#include "models/weight_matrix.h"

namespace quintet {

inline size_t rows_of(const PackedMatrix& matrix) { return matrix.rows(); }
inline size_t bytes_of(const PackedMatrix& matrix) { return matrix.bytes(); }

template <class Matrix>
struct BasicModule {
  Matrix matrix;                // [out][in] of a linear layer
  AlignedBuffer<float> vector;  // [width] of a norm
  AlignedBuffer<float> bias;    // [out] or [width], or empty

  bool exists() const { return rows_of(matrix) != 0 || vector.size() != 0; }
  size_t bytes() const { return bytes_of(matrix) + (vector.capacity() + bias.capacity()) * sizeof(float); }
};

// Encoders have matrices of plain types and of int8 rows.
using PackedModule = BasicModule<PackedMatrix>;

}  // namespace quintet
