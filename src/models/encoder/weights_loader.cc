#include "models/encoder/weights_loader.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "architectures/encoder/parts.h"
#include "models/tensor_sinks.h"

namespace quintet::encoder {
namespace {

constexpr std::string_view kScaleSuffix = ".scale";

// The place of a tensor in the encoder.
using Place = std::variant<PackedMatrix*, RowTable*, AlignedBuffer<float>*>;

Place place_in(Linear& linear, bool bias) {
  if (bias) return &linear.bias;
  return &linear.weight;
}

Place place_in(LayerNorm& norm, bool bias) { return bias ? &norm.beta : &norm.gamma; }

// Creates the tensor's layer if necessary.
std::optional<Place> place_of(Weights& weights, EncoderTensor tensor) {
  const auto layer = [&]() -> Layer& {
    if (tensor.layer >= weights.layers.size()) weights.layers.resize(tensor.layer + 1);
    return weights.layers[tensor.layer];
  };
  switch (tensor.part) {
    case EncoderPart::word_embeddings:
      return &weights.word_embeddings;
    case EncoderPart::position_embeddings:
      return &weights.position_embeddings;
    case EncoderPart::token_type_embeddings:
      return &weights.token_type_embeddings;
    case EncoderPart::embeddings_norm:
      return place_in(weights.embeddings_norm, tensor.bias);
    case EncoderPart::query:
      return place_in(layer().query, tensor.bias);
    case EncoderPart::key:
      return place_in(layer().key, tensor.bias);
    case EncoderPart::value:
      return place_in(layer().value, tensor.bias);
    case EncoderPart::attention_output:
      return place_in(layer().attention_output, tensor.bias);
    case EncoderPart::attention_norm:
      return place_in(layer().attention_norm, tensor.bias);
    case EncoderPart::intermediate:
      return place_in(layer().intermediate, tensor.bias);
    case EncoderPart::output:
      return place_in(layer().output, tensor.bias);
    case EncoderPart::output_norm:
      return place_in(layer().output_norm, tensor.bias);
    case EncoderPart::pooler:
      break;
  }
  return std::nullopt;
}

std::optional<Place> place_of(Weights& weights, std::string_view name) {
  const auto tensor = find_encoder_tensor(name);
  return tensor ? place_of(weights, *tensor) : std::nullopt;
}

Result<Storage> stored_as(const TensorInfo& info) {
  if (const auto storage = storage_of(info.dtype)) return *storage;
  return tensor_error(
      Code::unsupported, Reason::unknown_value, info,
      "weights of data type " + std::string(name_of(info.dtype)) + "; supported are F32, F16, BF16 and I8");
}

std::unexpected<Error> wrong_shape(const TensorInfo& info, std::string detail) {
  return tensor_error(Code::format, Reason::mismatch, info, std::move(detail));
}

struct MatrixShape {
  size_t rows, cols;
};

Result<MatrixShape> matrix_shape(const TensorInfo& info) {
  if (info.shape.size() != 2) {
    return wrong_shape(info, std::to_string(info.shape.size()) + " dimensions, but expected a matrix");
  }
  constexpr uint64_t kMax = INT32_MAX;
  const uint64_t rows = info.shape[0];
  const uint64_t cols = info.shape[1];
  if (rows == 0 || cols == 0 || rows > kMax || cols > kMax) {
    return wrong_shape(info, "a matrix of " + std::to_string(rows) + " x " + std::to_string(cols));
  }
  return MatrixShape{.rows = static_cast<size_t>(rows), .cols = static_cast<size_t>(cols)};
}

}  // namespace

void WeightsLoader::announce(const std::vector<TensorInfo>& tensors) {
  const TensorLookup lookup(tensors);
  for (const TensorInfo& scale : tensors) {
    if (!scale.name.ends_with(kScaleSuffix)) continue;
    const std::string matrix = scale.name.substr(0, scale.name.size() - kScaleSuffix.size());
    const TensorInfo* info = lookup.find(matrix);
    if (info == nullptr || !place_of(weights_, matrix) || info->shape.size() != 2 || scale.shape.size() != 2) continue;
    if (scale.shape[1] == 0 || info->shape[1] % scale.shape[1] != 0) continue;
    groups_.emplace_back(matrix, static_cast<size_t>(info->shape[1] / scale.shape[1]));
  }
}

size_t WeightsLoader::group_of(const TensorInfo& info) const {
  const auto known = std::ranges::find(groups_, info.name, &std::pair<std::string, size_t>::first);
  return known == groups_.end() ? static_cast<size_t>(info.shape[1]) : known->second;
}

Result<std::unique_ptr<TensorSink>> WeightsLoader::tensor(const TensorInfo& info, bool certain) {
  if (info.name.ends_with(kScaleSuffix)) return scale_sink(info);
  const std::optional<Place> place = place_of(weights_, info.name);
  if (!place) return nullptr;
  if (auto* matrix = std::get_if<PackedMatrix*>(&*place)) return matrix_sink(info, **matrix, certain);
  if (auto* table = std::get_if<RowTable*>(&*place)) return table_sink(info, **table, certain);
  if (info.shape.size() != 1) {
    return wrong_shape(info, std::to_string(info.shape.size()) + " dimensions, but expected a vector");
  }
  return vector_sink(info, *std::get<AlignedBuffer<float>*>(*place));
}

Result<std::unique_ptr<TensorSink>> WeightsLoader::matrix_sink(const TensorInfo& info, PackedMatrix& matrix,
                                                               bool certain) {
  QUINTET_TRY(const MatrixShape shape, matrix_shape(info));
  QUINTET_TRY(const Storage storage, stored_as(info));
  matrix = PackedMatrix(storage, shape.rows, shape.cols, storage == Storage::i8 ? group_of(info) : 0);
  if (storage == Storage::i8) quantized_.push_back(info.name);
  if (certain) QUINTET_CHECK(matrix.reserve());
  return packing_sink(info, matrix);
}

Result<std::unique_ptr<TensorSink>> WeightsLoader::table_sink(const TensorInfo& info, RowTable& table, bool certain) {
  QUINTET_TRY(const MatrixShape shape, matrix_shape(info));
  QUINTET_TRY(const Storage storage, stored_as(info));
  table = RowTable(storage, shape.rows, shape.cols, storage == Storage::i8 ? group_of(info) : 0);
  if (storage == Storage::i8) quantized_.push_back(info.name);
  if (certain) QUINTET_CHECK(table.reserve());
  return row_table_sink(table);
}

Result<std::unique_ptr<TensorSink>> WeightsLoader::scale_sink(const TensorInfo& info) {
  std::string matrix = info.name.substr(0, info.name.size() - kScaleSuffix.size());
  if (!place_of(weights_, matrix)) return nullptr;
  scales_.push_back(std::make_unique<Scales>(Scales{.matrix = std::move(matrix), .values = {}}));
  return vector_sink(info, scales_.back()->values);
}

Status WeightsLoader::finish() {
  for (const std::string& name : quantized_) {
    const auto scales = std::ranges::find_if(scales_, [&](const auto& candidate) { return candidate->matrix == name; });
    if (scales == scales_.end()) {
      return missing_tensor(name, "the scales of an int8 matrix are missing");
    }
    QUINTET_CHECK(join(name, (*scales)->values.span()));
  }
  scales_.clear();
  return {};
}

Status WeightsLoader::join(const std::string& name, std::span<const float> scales) {
  const std::optional<Place> place = place_of(weights_, name);
  auto* matrix = std::get_if<PackedMatrix*>(&*place);
  auto* table = std::get_if<RowTable*>(&*place);
  const size_t rows = matrix ? (*matrix)->rows() : (*table)->rows();
  const size_t groups = matrix ? (*matrix)->groups() : (*table)->groups();
  if (scales.size() != uint64_t{rows} * groups) {
    return fail({.code = Code::format,
                 .reason = Reason::mismatch,
                 .detail = std::to_string(scales.size()) + " scales for " + std::to_string(rows) + " rows of " +
                           std::to_string(groups) + " groups",
                 .tensor = name});
  }
  return matrix ? (*matrix)->set_scales(scales) : (*table)->set_scales(scales);
}

}  // namespace quintet::encoder
