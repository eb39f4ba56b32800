#include "models/encoder/lora_merge.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "architectures/encoder/tensor_names.h"
#include "models/tensor_sinks.h"

namespace quintet::encoder {
namespace {

constexpr std::string_view kA = ".parametrizations.weight.0.lora_A", kB = ".parametrizations.weight.0.lora_B";

}  // namespace

std::string LoraMerge::matrix_of(std::string_view name) {
  if (!name.ends_with(kA) && !name.ends_with(kB)) return {};
  return std::string(name.substr(0, name.size() - kA.size())).append(kParametrizedSuffix);
}

bool LoraMerge::changes(std::string_view name) const { return task_ && name.ends_with(kParametrizedSuffix); }

Result<std::unique_ptr<ByteSink>> LoraMerge::tensor(const TensorArrival& tensor, LoraFactors& factors) const {
  const std::vector<uint64_t>& shape = tensor.info.shape;
  if (shape.size() != 3 || shape[0] != task_->tasks || (shape[1] != task_->rank && shape[2] != task_->rank)) {
    return tensor_error(Code::format, Reason::mismatch, tensor.info, "shape {}, expected {} tasks of rank {}",
                        shape_text(shape), task_->tasks, task_->rank);
  }
  return tensor_sink<SourceTypes::encoder>(tensor, tensor.info.name.ends_with(kA) ? factors.a : factors.b);
}

Status LoraMerge::merge(std::string_view name, const LoraFactors& factors, PackedMatrix& matrix, bool to_int8) const {
  return merge_rows(name, factors.b, factors.a, matrix, to_int8);
}

Status LoraMerge::merge(std::string_view name, const LoraFactors& factors, RowTable& table, bool to_int8) const {
  return merge_rows(name, factors.a, factors.b, table, to_int8);
}

template <class Matrix>
Status LoraMerge::merge_rows(std::string_view name, const AlignedBuffer<float>& of_rows,
                             const AlignedBuffer<float>& of_cols, Matrix& matrix, bool to_int8) const {
  to_int8 = to_int8 || matrix.storage() == Storage::i8;
  const size_t rows = matrix.rows(), cols = matrix.cols();
  const bool has_factors = of_rows.size() != 0 || of_cols.size() != 0;
  if (!has_factors && !to_int8) return {};
  const size_t rank = has_factors ? static_cast<size_t>(task_->rank) : 0;
  const auto number = static_cast<size_t>(task_->number);
  const uint64_t per_row = uint64_t{rank} * task_->tasks;
  if (of_rows.size() != rows * per_row || of_cols.size() != cols * per_row) {
    return in_tensor(fail(Code::format, Reason::mismatch, "its adapter has other sizes"), name);
  }
  const float* const left = of_rows.data() + number * rows * rank;
  const float* const right = of_cols.data() + number * rank * cols;
  Matrix quantized(Storage::i8, rows, cols);
  TensorInfo info;
  info.name = name;
  info.dtype = Dtype::f32;
  info.shape = {rows, cols};
  info.bytes = uint64_t{rows} * cols * sizeof(float);
  std::unique_ptr<ByteSink> sink;
  if (to_int8) {
    QUINTET_TRY(sink, tensor_sink<SourceTypes::encoder>({.info = info}, quantized));
  }
  std::vector<float> values(cols);
  for (size_t row = 0; row < rows; ++row) {
    matrix.read_row(row, values.data());
    for (size_t k = 0; k < rank; ++k) {
      const float factor = static_cast<float>(task_->scale) * left[row * rank + k];
      for (size_t i = 0; i < cols; ++i) values[i] += factor * right[k * cols + i];
    }
    if (sink) {
      QUINTET_CHECK(sink->write(std::as_bytes(std::span(values))));
    } else {
      matrix.write_row(row, values.data());
    }
  }
  if (!sink) return {};
  QUINTET_CHECK(sink->finish());
  matrix = std::move(quantized);
  return {};
}

}  // namespace quintet::encoder
