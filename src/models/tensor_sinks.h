#pragma once
// Sinks that bring a tensor's bytes into the form in which models keep their weights.

#include <memory>

#include "base/aligned_buffer.h"
#include "formats/model_sink.h"
#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/row_table.h"

namespace quintet {

// Packs whole rows as they arrive. The tensor's type is the matrix's storage.
std::unique_ptr<TensorSink> packing_sink(const TensorInfo& info, PackedMatrix& matrix);

// Appends the bytes as they are.
std::unique_ptr<TensorSink> row_table_sink(RowTable& table);

// Widens a float tensor of any type to float32.
Result<std::unique_ptr<TensorSink>> vector_sink(const TensorInfo& info, AlignedBuffer<float>& values);

// Appends the tensor's values as float32, whatever it is stored as. `certain`: as in ModelSink::tensor.
Result<std::unique_ptr<TensorSink>> decoding_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values);

}  // namespace quintet
