#pragma once
// Adds the adapter of a task to the weights while they are loaded (architectures/encoder/lora.h).

#include <cstddef>
#include <map>
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

class LoraMerge {
 public:
  // The factors of a matrix for all tasks: of linear layers A [tasks][rank][cols] and B [tasks][rows][rank], of
  // embeddings A [tasks][rows][rank] and B [tasks][rank][cols].
  struct Factors {
    AlignedBuffer<float> a, b;
  };

  void begin(const std::optional<LoraTask>& task) { task_ = task; }
  // The name of the matrix that a tensor with this name is a factor of; empty for other tensors.
  static std::string matrix_of(std::string_view name);
  // Whether the matrix that is stored under this name gets a factor.
  bool changes(std::string_view name) const;
  // Notes that the matrix with this name is changed, or at least quantized.
  void expect(std::string_view name) { factors_.try_emplace(std::string(name)); }
  // The sink for a factor.
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor);
  // Adapters by the names of their matrices; a matrix without an adapter has none.
  const std::map<std::string, Factors, std::less<>>& factors() const { return factors_; }

  // W += alpha / rank * B A, if there are factors. `to_int8`: then quantizes it row by row. FORMAT for factors of other
  // sizes.
  Status merge(std::string_view name, const Factors& factors, PackedMatrix& matrix, bool to_int8) const;
  Status merge(std::string_view name, const Factors& factors, RowTable& table, bool to_int8) const;
  void clear() { factors_.clear(); }

 private:
  template <class Matrix>
  Status merge_rows(std::string_view name, const AlignedBuffer<float>& of_rows, const AlignedBuffer<float>& of_cols,
                    Matrix& matrix, bool to_int8) const;

  std::optional<LoraTask> task_;
  std::map<std::string, Factors, std::less<>> factors_;
};

}  // namespace quintet::encoder
