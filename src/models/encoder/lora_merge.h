#pragma once
// Adds the adapter of a task to the weights while they are loaded (architectures/encoder/lora.h).

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "architectures/encoder/lora.h"
#include "base/aligned_buffer.h"
#include "formats/model_sink.h"
#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/row_table.h"

namespace quintet::encoder {

// The factors of a matrix for all tasks: of linear layers A [tasks][rank][cols] and B [tasks][rows][rank], of
// embeddings A [tasks][rows][rank] and B [tasks][rank][cols].
struct LoraFactors {
  AlignedBuffer<float> a, b;
};

class LoraMerge {
 public:
  void begin(const std::optional<LoraTask>& task) { task_ = task; }
  // The name of the matrix that a tensor with this name is a factor of; empty for other tensors.
  static std::string matrix_of(std::string_view name);
  // Whether the matrix that is stored under this name gets a factor.
  bool changes(std::string_view name) const;
  // The sink for a factor of a matrix that gets one.
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor, LoraFactors& factors) const;

  // W += alpha / rank * B A, if there are factors. `to_int8`: then quantizes it row by row. FORMAT for factors of other
  // sizes.
  Status merge(std::string_view name, const LoraFactors& factors, PackedMatrix& matrix, bool to_int8) const;
  Status merge(std::string_view name, const LoraFactors& factors, RowTable& table, bool to_int8) const;

 private:
  template <class Matrix>
  Status merge_rows(std::string_view name, const AlignedBuffer<float>& of_rows, const AlignedBuffer<float>& of_cols,
                    Matrix& matrix, bool to_int8) const;

  std::optional<LoraTask> task_;
};

}  // namespace quintet::encoder
