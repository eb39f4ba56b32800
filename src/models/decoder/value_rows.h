#pragma once
// Sinks that take a tensor of any type by its values, row by row.

#include <memory>

#include "formats/model_sink.h"
#include "tensor/packed/block_matrix.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::decoder {

// Keeps the values as f32, which the matrix stores.
Result<std::unique_ptr<TensorSink>> float_rows_sink(const TensorInfo& info, PackedMatrix& matrix);

// Quantizes each block symmetrically, as AMB's INT4BLOCK and INT8 are defined: scale = max|x| / 7 or / 127 in FP16,
// rounded before q is computed with it. INPUT where a value is not finite.
Result<std::unique_ptr<TensorSink>> quantizing_sink(const TensorInfo& info, BlockMatrix& matrix);

}  // namespace quintet::decoder
