#pragma once
// The form in which a matrix of a file is stored in memory, and the sinks that fill it while its bytes arrive. It keeps
// its own values, in blocks that the kernels read, or has fewer bits if the caller requested that.

#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.h"
#include "formats/model_description.h"
#include "formats/model_sink.h"
#include "models/weight_matrix.h"

namespace quintet::decoder {

struct MatrixForm {
  WeightMatrix matrix;  // empty; nothing is allocated
  bool requantized = false;
};

// Decides the form of a matrix; with more than `max_bits` per value it is requantized, with new blocks.
Result<MatrixForm> matrix_form(const TensorInfo& info, std::optional<BlockBits> max_bits);

// Returns the size of the filled matrix; approximate for AdaptiveMatrix, whose codes are in the data.
uint64_t filled_bytes(const MatrixForm& form, const TensorInfo& info);

// Moves the form's matrix to `matrix` and makes the sink that fills it. `matrix` must outlive the sink.
Result<std::unique_ptr<ByteSink>> matrix_sink(const TensorArrival& tensor, MatrixForm form, WeightMatrix& matrix);

}  // namespace quintet::decoder
