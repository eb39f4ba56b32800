#pragma once
// A weight matrix [rows][cols] in any of our number types.

#include <cstddef>
#include <variant>

#include "tensor/packed/adaptive_matrix.h"
#include "tensor/packed/block_matrix.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

// PackedMatrix: f32, f16, bf16. All three types have rows(), cols(), bytes() and read_row(row, out).
using WeightMatrix = std::variant<PackedMatrix, BlockMatrix, AdaptiveMatrix>;

inline size_t rows_of(const WeightMatrix& matrix) {
  return std::visit([](const auto& kept) { return kept.rows(); }, matrix);
}
inline size_t cols_of(const WeightMatrix& matrix) {
  return std::visit([](const auto& kept) { return kept.cols(); }, matrix);
}
inline size_t bytes_of(const WeightMatrix& matrix) {
  return std::visit([](const auto& kept) { return kept.bytes(); }, matrix);
}
// out [cols] = the values of a row, to look up embeddings.
inline void read_row(const WeightMatrix& matrix, size_t row, float* out) {
  std::visit([&](const auto& kept) { kept.read_row(row, out); }, matrix);
}

}  // namespace quintet
