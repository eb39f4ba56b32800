#include "models/bert/weights_loader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include "formats/tensor_lookup.h"
#include "models/tensor_sinks.h"

namespace quintet::bert {
namespace {

// More layers than any encoder has: keeps a wrong name from costing memory.
constexpr size_t kMostLayers = 512;
constexpr std::string_view kScaleSuffix = ".scale";

// Where a tensor of the encoder belongs.
using Place = std::variant<PackedMatrix*, RowTable*, AlignedBuffer<float>*>;

std::optional<Place> place_in_linear(Linear& linear, std::string_view part) {
  if (part == "weight") return &linear.weight;
  if (part == "bias") return &linear.bias;
  return std::nullopt;
}

std::optional<Place> place_in_norm(LayerNorm& norm, std::string_view part) {
  if (part == "weight") return &norm.gamma;
  if (part == "bias") return &norm.beta;
  return std::nullopt;
}

struct LinearName {
  std::string_view prefix;
  Linear Layer::* member;
};
constexpr std::array<LinearName, 6> kLinears = {{
    {"attention.self.query.", &Layer::query},
    {"attention.self.key.", &Layer::key},
    {"attention.self.value.", &Layer::value},
    {"attention.output.dense.", &Layer::attention_output},
    {"intermediate.dense.", &Layer::intermediate},
    {"output.dense.", &Layer::output},
}};

struct NormName {
  std::string_view prefix;
  LayerNorm Layer::* member;
};
constexpr std::array<NormName, 2> kNorms = {{
    {"attention.output.LayerNorm.", &Layer::attention_norm},
    {"output.LayerNorm.", &Layer::output_norm},
}};

std::optional<Place> place_in_layer(Layer& layer, std::string_view name) {
  for (const auto& [prefix, member] : kLinears) {
    if (name.starts_with(prefix)) return place_in_linear(layer.*member, name.substr(prefix.size()));
  }
  for (const auto& [prefix, member] : kNorms) {
    if (name.starts_with(prefix)) return place_in_norm(layer.*member, name.substr(prefix.size()));
  }
  return std::nullopt;
}

// Cuts a decimal number and the dot behind it from the front of `name`.
std::optional<size_t> take_index(std::string_view& name) {
  const size_t dot = name.find('.');
  if (dot == 0 || dot == std::string_view::npos || dot > 4) return std::nullopt;
  size_t index = 0;
  for (const char digit : name.substr(0, dot)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    index = index * 10 + static_cast<size_t>(digit - '0');
  }
  name.remove_prefix(dot + 1);
  return index;
}

std::optional<Place> place_of(Weights& weights, std::string_view name) {
  constexpr std::string_view kLayer = "encoder.layer.";
  if (name == "embeddings.word_embeddings.weight") return &weights.word_embeddings;
  if (name == "embeddings.position_embeddings.weight") return &weights.position_embeddings;
  if (name == "embeddings.token_type_embeddings.weight") return &weights.token_type_embeddings;
  if (name == "embeddings.LayerNorm.weight") return &weights.embeddings_norm.gamma;
  if (name == "embeddings.LayerNorm.bias") return &weights.embeddings_norm.beta;
  if (!name.starts_with(kLayer)) return std::nullopt;
  name.remove_prefix(kLayer.size());
  const std::optional<size_t> index = take_index(name);
  if (!index || *index >= kMostLayers) return std::nullopt;
  if (*index >= weights.layers.size()) {
    Layer unplaced;
    if (!place_in_layer(unplaced, name)) return std::nullopt;
    weights.layers.resize(*index + 1);
  }
  return place_in_layer(weights.layers[*index], name);
}

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
      return fail({.code = Code::unsupported,
                   .reason = Reason::unknown_value,
                   .detail = "weights of data type " + std::string(name_of(info.dtype)),
                   .offset = info.offset,
                   .tensor = info.name});
  }
}

std::unexpected<Error> wrong_shape(const TensorInfo& info, std::string detail) {
  return fail({.code = Code::format,
               .reason = Reason::mismatch,
               .detail = std::move(detail),
               .offset = info.offset,
               .tensor = info.name});
}

struct MatrixShape {
  size_t rows, cols;
};

Result<MatrixShape> matrix_shape(const TensorInfo& info) {
  if (info.shape.size() != 2) {
    return wrong_shape(info, std::to_string(info.shape.size()) + " dimensions where a matrix is needed");
  }
  constexpr uint64_t kMost = INT32_MAX;
  const uint64_t rows = info.shape[0];
  const uint64_t cols = info.shape[1];
  if (rows == 0 || cols == 0 || rows > kMost || cols > kMost) {
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
    return wrong_shape(info, std::to_string(info.shape.size()) + " dimensions where a vector is needed");
  }
  return vector_sink(info, *std::get<AlignedBuffer<float>*>(*place));
}

Result<std::unique_ptr<TensorSink>> WeightsLoader::matrix_sink(const TensorInfo& info, PackedMatrix& matrix,
                                                               bool certain) {
  QUINTET_TRY(const MatrixShape shape, matrix_shape(info));
  QUINTET_TRY(const Storage storage, storage_of(info));
  matrix = PackedMatrix(storage, shape.rows, shape.cols, storage == Storage::i8 ? group_of(info) : 0);
  if (storage == Storage::i8) quantized_.push_back(info.name);
  if (certain) QUINTET_CHECK(matrix.reserve());
  return packing_sink(info, matrix);
}

Result<std::unique_ptr<TensorSink>> WeightsLoader::table_sink(const TensorInfo& info, RowTable& table, bool certain) {
  QUINTET_TRY(const MatrixShape shape, matrix_shape(info));
  QUINTET_TRY(const Storage storage, storage_of(info));
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
      return fail({.code = Code::format,
                   .reason = Reason::missing,
                   .detail = "an int8 matrix without its scales",
                   .tensor = name});
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

}  // namespace quintet::bert
