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

// The place of a tensor of a module.
Place place_in(Module& module, const Role& role) {
  if (role.is_bias) return &module.bias;
  if (role.row->is_matrix()) return &module.matrix;
  return &module.vector;
}

// Nothing for parts that the model does not need. Creates a layer if the number of layers is not known.
std::optional<Place> place_of(Weights& weights, const EncoderConfig& config, const Role& role) {
  const Part part = role.part();
  if (role.row->in_layer()) {
    if (config.layers != 0 && role.layer >= config.layers) return std::nullopt;
    if (role.layer >= weights.layers.size()) weights.layers.resize(role.layer + 1);
    return place_in(weights.layers[role.layer][part], role);
  }
  if (is_of_head(part) && !config.head) return std::nullopt;
  if (part >= Part::embeddings_norm) return place_in(weights.shared[part], role);
  if (role.is_bias) return std::nullopt;
  if (part == Part::word_embeddings) return &weights.word_embeddings;
  return part == Part::position_embeddings ? &weights.position_embeddings : &weights.token_type_embeddings;
}

Failure wrong_shape(const TensorInfo& info, std::string detail) {
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

// The kernel adds a bias to a norm, which networks may do without. `offset`: of the weights.
Status complete(Module& module, float offset) {
  for (float& weight : module.vector.span()) weight += offset;
  const bool is_norm = module.vector.size() != 0;
  return is_norm && module.bias.size() == 0 ? module.bias.resize(module.vector.size()) : Status();
}

}  // namespace

// Allocates all layers now: growth would invalidate the references that sinks hold.
void WeightsLoader::begin(const TensorNames& names, const EncoderConfig& config) {
  names_.emplace(names);
  config_ = config;
  weights_.layers.resize(std::min<size_t>(config.layers, kMaxLayers));
}

void WeightsLoader::announce(const std::vector<TensorInfo>& tensors) {
  const TensorLookup lookup(tensors);
  for (const TensorInfo& scale : tensors) {
    if (!scale.name.ends_with(kScaleSuffix)) continue;
    const std::string matrix = scale.name.substr(0, scale.name.size() - kScaleSuffix.size());
    const TensorInfo* info = lookup.find(matrix);
    if (info == nullptr || !names_->role_of(matrix) || info->shape.size() != 2 || scale.shape.size() != 2) continue;
    if (scale.shape[1] == 0 || info->shape[1] % scale.shape[1] != 0) continue;
    groups_.emplace_back(matrix, static_cast<size_t>(info->shape[1] / scale.shape[1]));
  }
}

size_t WeightsLoader::group_of(const TensorInfo& info) const {
  const auto known = std::ranges::find(groups_, info.name, &std::pair<std::string, size_t>::first);
  return known == groups_.end() ? static_cast<size_t>(info.shape[1]) : known->second;
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::tensor(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  if (info.name.ends_with(kScaleSuffix)) return scale_sink(tensor);
  const auto role = names_->role_of(info, config_);
  const auto place = role ? place_of(weights_, config_, *role) : std::nullopt;
  if (!place) return nullptr;
  if (auto* matrix = std::get_if<PackedMatrix*>(&*place)) return rows_sink(tensor, *role, **matrix);
  if (auto* table = std::get_if<RowTable*>(&*place)) return rows_sink(tensor, *role, **table);
  if (info.shape.size() != 1 && role->row->cols == Extent::none) {
    return wrong_shape(info, std::to_string(info.shape.size()) + " dimensions, but expected a vector");
  }
  return tensor_sink<SourceTypes::encoder>(tensor, *std::get<AlignedBuffer<float>*>(*place));
}

// Plain types are stored as they are; what the kernels do not read is widened, or quantized if all is.
template <class Rows>
Result<std::unique_ptr<ByteSink>> WeightsLoader::rows_sink(const TensorArrival& tensor, const Role& role, Rows& rows) {
  const TensorInfo& info = tensor.info;
  QUINTET_TRY(const MatrixShape shape, matrix_shape(info));
  const auto stored = info.quantized() ? std::nullopt : storage_of(info.dtype);
  const Storage plain = stored.value_or(Storage::f32);
  const bool quantizes = to_int8_ && role.is_quantized() && plain != Storage::i8;
  const Storage storage = quantizes ? Storage::i8 : plain;
  const bool has_scales = storage == Storage::i8 && !quantizes;
  // It is refused, not replaced: the sink of the first may still write to this matrix.
  if (rows.cols() != 0) return tensor_error(Code::format, Reason::duplicate, info, "another tensor is the same matrix");
  rows = Rows(storage, shape.rows, shape.cols, has_scales ? group_of(info) : 0);
  if (has_scales) quantized_.push_back(info.name);
  if (quantizes || !stored) return tensor_sink<SourceTypes::encoder>(tensor, rows);
  return tensor_sink<SourceTypes::same>(tensor, rows);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::scale_sink(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  std::string matrix = info.name.substr(0, info.name.size() - kScaleSuffix.size());
  const auto role = names_->role_of(matrix);
  if (!role || !place_of(weights_, config_, *role)) return nullptr;
  if (info.dtype != Dtype::f32 && info.dtype != Dtype::f16 && info.dtype != Dtype::bf16) {
    return tensor_error(
        Code::unsupported, Reason::unknown_value, info,
        "a vector of data type " + std::string(name_of(info.dtype)) + "; supported are F32, F16 and BF16");
  }
  scales_.push_back(std::make_unique<Scales>(Scales{.matrix = std::move(matrix), .values = {}}));
  return tensor_sink<SourceTypes::encoder>(tensor, scales_.back()->values);
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
  const float offset = config_.has_norm_offset ? 1 : 0;
  for (Layer& layer : weights_.layers) {
    for (Module& module : layer) QUINTET_CHECK(complete(module, offset));
  }
  for (const Part norm : {Part::embeddings_norm, Part::final_norm, Part::head_norm}) {
    QUINTET_CHECK(complete(weights_.shared[norm], offset));
  }
  return {};
}

Status WeightsLoader::join(const std::string& name, std::span<const float> scales) {
  const std::optional<Place> place = place_of(weights_, config_, *names_->role_of(name));
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
