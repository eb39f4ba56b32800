#pragma once
// Converts quantized payloads to matrices in the form of the kernels, value for value, while they arrive.

#include <algorithm>
#include <memory>
#include <optional>

#include "base/byte_sink.h"
#include "tensor/packed/adaptive_matrix.h"
#include "tensor/packed/block_matrix.h"
#include "tensor/quantization.h"

namespace quintet {

// Returns the number of columns of a matrix's blocks if values share a scale by `group`, a divisor of cols or 0 for
// all: at most the columns of a block. Nothing if rows would be divided into tiny blocks.
std::optional<size_t> matrix_block(uint64_t group, size_t cols);

// Returns the layout for the values of a payload; nothing if its blocks do not fit rows of `cols`. Requires a scheme of
// AMB (except `adaptive`), ALT or GGUF.
std::optional<BlockMatrix::Layout> repacked_layout(const Quantization& quantization, size_t rows, size_t cols);

// Returns the number of columns of the blocks of an AdaptiveMatrix; nothing as above.
std::optional<size_t> adaptive_block(const Quantization& quantization, size_t cols);

// Returns how many of a matrix's next rows are composed before they are appended: a panel, which super-blocks require,
// or the rest of the matrix; at least 1, so that a surplus row reaches the matrix, which rejects it.
inline size_t composed_rows(const BlockMatrix& matrix) {
  // Longer rows go one by one: what is composed must take little memory.
  constexpr size_t kLongestPanelRow = size_t{1} << 16;
  if (matrix.cols() > kLongestPanelRow && !matrix.layout().has_super_blocks()) return 1;
  return std::clamp<size_t>(matrix.rows() - matrix.appended_rows(), 1, kPanelRows);
}

// Makes the sink for a payload, which fills an empty matrix of the layout above. The matrix must outlive it.
std::unique_ptr<ByteSink> make_repacker(const Quantization& quantization, BlockMatrix& matrix);

// Repacks `adaptive`, where the codes determine the size of the data.
std::unique_ptr<ByteSink> make_adaptive_repacker(const Quantization& quantization, uint64_t data_bytes,
                                                 AdaptiveMatrix& matrix);

}  // namespace quintet
