#pragma once
// The form in which a matrix of a file is stored in memory: its own values in blocks that the kernels read, or with
// fewer bits if the caller requested that. And the sinks that fill it while its bytes arrive.

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

// `max_bits`: matrices with more bits per value are requantized, with new blocks.
Result<MatrixForm> matrix_form(const TensorInfo& info, std::optional<BlockBits> max_bits);

// Size of the filled matrix; approximate for AdaptiveMatrix, whose codes are in the data.
uint64_t filled_bytes(const MatrixForm& form, const TensorInfo& info);

// Moves the form's matrix to `matrix` and makes the sink that fills it. `matrix` must outlive the sink.
Result<std::unique_ptr<ByteSink>> matrix_sink(const TensorArrival& tensor, MatrixForm form, WeightMatrix& matrix);

// Passes rows of query and key matrices, whose halves a GGUF file has interleaved, to another sink in their original
// order, head by head. `heads`: from TensorNames::interleaved_heads(); for 0, `sink` is returned and rows stay as they
// are. FORMAT if the rows cannot be divided into that many heads.
Result<std::unique_ptr<ByteSink>> head_order_sink(const TensorInfo& info, uint64_t heads,
                                                  std::unique_ptr<ByteSink> sink);

}  // namespace quintet::decoder
