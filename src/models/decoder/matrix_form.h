#pragma once
// The form in which a matrix of a file is kept in memory: its own values in blocks that the kernels take, or fewer bits
// where the caller asked for that.

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "formats/model_description.h"
#include "models/weight_matrix.h"

namespace quintet::decoder {

struct MatrixForm {
  WeightMatrix matrix;  // empty; nothing is allocated
  bool requantized = false;
};

// `max_bits`: what has more bits a value is requantized, in blocks of its own.
Result<MatrixForm> matrix_form(const TensorInfo& info, std::optional<BlockBits> max_bits);

// Bytes that the matrix takes when it is filled; near to it for AdaptiveMatrix, whose codes are in the data.
uint64_t filled_bytes(const MatrixForm& form, const TensorInfo& info);

}  // namespace quintet::decoder
