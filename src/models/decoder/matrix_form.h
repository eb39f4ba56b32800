#pragma once
// The form in which a matrix of a file is kept in memory: its own values in blocks that the kernels take, or fewer bits
// where the caller asked for that. And the sinks that fill it while its bytes arrive.

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

// `max_bits`: what has more bits a value is requantized, in blocks of its own.
Result<MatrixForm> matrix_form(const TensorInfo& info, std::optional<BlockBits> max_bits);

// Bytes that the matrix takes when it is filled; near to it for AdaptiveMatrix, whose codes are in the data.
uint64_t filled_bytes(const MatrixForm& form, const TensorInfo& info);

// `matrix` takes the form's and outlives the sink. `certain`: as in ModelSink::tensor.
Result<std::unique_ptr<TensorSink>> matrix_sink(const TensorInfo& info, MatrixForm form, bool certain,
                                                WeightMatrix& matrix);

// Rows of query and key matrices whose halves a GGUF file has interleaved, put back head by head on their way into
// another sink.
// `heads`: as gguf::interleaved_heads() gives them; 0 leaves the rows as they are, and `sink` is returned. FORMAT where
// the tensor has no rows of whole bytes for so many heads.
Result<std::unique_ptr<TensorSink>> head_order_sink(const TensorInfo& info, uint64_t heads,
                                                    std::unique_ptr<TensorSink> sink);

}  // namespace quintet::decoder
