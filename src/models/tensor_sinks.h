#pragma once
// Sinks that convert the bytes of a tensor to the form in which models store their weights.

#include <memory>

#include "base/aligned_buffer.h"
#include "formats/model_sink.h"
#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/row_table.h"

namespace quintet {

// Packs whole rows as they arrive. The type of the tensor is the storage of the matrix.
std::unique_ptr<TensorSink> packing_sink(const TensorInfo& info, PackedMatrix& matrix);

// Appends the bytes unchanged.
std::unique_ptr<TensorSink> row_table_sink(RowTable& table);

// Widens a float tensor of any type to float32.
Result<std::unique_ptr<TensorSink>> vector_sink(const TensorInfo& info, AlignedBuffer<float>& values);

// Appends the tensor's values as float32: a plain type or one of networks (tinyRuntime).
Result<std::unique_ptr<TensorSink>> network_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values);

// Appends the tensor's values as float32, whatever their type. `certain`: as in ModelSink::tensor.
Result<std::unique_ptr<TensorSink>> decoding_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values);

}  // namespace quintet
