#include "base/half.h"
#include "bench/native/formats/sinks.h"
#include "models/tensor_sinks.h"

namespace quintet::bench {
namespace {

Result<Storage> storage_of(const TensorInfo& info) {
  switch (info.dtype) {
    case Dtype::f32:
      return Storage::f32;
    case Dtype::f16:
      return Storage::f16;
    case Dtype::bf16:
      return Storage::bf16;
    case Dtype::i8:
      return Storage::i8;
    default:
      return unsupported_error("a matrix of this type");
  }
}

float element(const PackedMatrix& matrix, size_t row, size_t col) {
  const size_t panel = row / kPanelRows, in_panel = row % kPanelRows;
  const size_t at = col * kPanelRows + in_panel;
  switch (matrix.storage()) {
    case Storage::f32:
      return matrix.panel_f32(panel)[at];
    case Storage::f16:
      return f16_to_f32(matrix.panel_half(panel)[at]);
    case Storage::bf16:
      return bf16_to_f32(matrix.panel_half(panel)[at]);
    case Storage::i8:
      return matrix.panel_i8(panel)[(col / kQuad * kPanelRows + in_panel) * kQuad + col % kQuad];
  }
  return 0;
}

float stored(Storage storage, float value) {
  switch (storage) {
    case Storage::f32:
      return value;
    case Storage::f16:
      return f16_to_f32(f32_to_f16(value));
    case Storage::bf16:
      return bf16_to_f32(f32_to_bf16(value));
    case Storage::i8:
      return int8_of(value);
  }
  return 0;
}

bool is_right_matrix(const PackedMatrix& matrix, size_t tensor, const SeededValues& values) {
  for (size_t row = 0; row < matrix.rows(); ++row) {
    for (size_t col = 0; col < matrix.cols(); ++col) {
      const float seeded = values.at(tensor, uint64_t{row} * matrix.cols() + col);
      if (element(matrix, row, col) != stored(matrix.storage(), seeded)) return false;
    }
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<ByteSink>> PackingSink::tensor(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  loaded_.push_back(std::make_unique<Loaded>());
  if (info.shape.size() < 2) return tensor_sink<SourceTypes::network>(tensor, loaded_.back()->vector);
  PackedMatrix& matrix = loaded_.back()->matrix;
  QUINTET_TRY(const Storage storage, storage_of(info));
  const auto rows = static_cast<size_t>(info.shape[0]);
  matrix = PackedMatrix(storage, rows, static_cast<size_t>(info.elements()) / rows);
  return tensor_sink<SourceTypes::same>(tensor, matrix);
}

bool PackingSink::is_right(const ModelFile& file, const SeededValues& values) const {
  bool right = loaded_.size() == file.tensors.size();
  for (size_t i = 0; right && i < loaded_.size(); ++i) {
    const Loaded& loaded = *loaded_[i];
    right = file.tensors[i].shape.size() < 2 ? loaded.vector.size() == file.tensors[i].elements()
                                             : is_right_matrix(loaded.matrix, i, values);
  }
  return right;
}

}  // namespace quintet::bench
