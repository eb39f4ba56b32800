#pragma once
// A tensor's bytes on their way into a matrix of the form that matrix_form() chose.

#include <memory>

#include "formats/model_sink.h"
#include "models/decoder/matrix_form.h"

namespace quintet::decoder {

// `matrix` takes the form's and outlives the sink. `certain`: as in ModelSink::tensor.
Result<std::unique_ptr<TensorSink>> matrix_sink(const TensorInfo& info, MatrixForm form, bool certain,
                                                WeightMatrix& matrix);

}  // namespace quintet::decoder
