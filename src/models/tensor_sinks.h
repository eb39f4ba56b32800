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

// Either of these.
inline std::unique_ptr<TensorSink> stored_sink(const TensorInfo& info, PackedMatrix& matrix) {
  return packing_sink(info, matrix);
}
inline std::unique_ptr<TensorSink> stored_sink(const TensorInfo&, RowTable& table) { return row_table_sink(table); }

// Converts the values of a tensor row by row: to float32, or to int8 with one scale for each row, as its target stores
// them. From plain floats and blocks of GGUF.
Result<std::unique_ptr<TensorSink>> row_sink(const TensorInfo& info, PackedMatrix& matrix);
Result<std::unique_ptr<TensorSink>> row_sink(const TensorInfo& info, RowTable& table);

// Appends the values of such a tensor as float32. `certain`: as in ModelSink::tensor.
Result<std::unique_ptr<TensorSink>> float_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values);

// Widens a float tensor of any type to float32.
Result<std::unique_ptr<TensorSink>> vector_sink(const TensorInfo& info, AlignedBuffer<float>& values);

// Appends the tensor's values as float32: a plain type or one of networks (tinyRuntime).
Result<std::unique_ptr<TensorSink>> network_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values);

// Appends the tensor's values as float32, whatever their type. `certain`: as in ModelSink::tensor.
Result<std::unique_ptr<TensorSink>> decoding_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values);

}  // namespace quintet
