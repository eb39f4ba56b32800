#pragma once
// A tensor's bytes on their way into a matrix of the form that matrix_form() chose.

#include <memory>

#include "formats/model_sink.h"
#include "models/decoder/matrix_form.h"

namespace quintet::decoder {

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
