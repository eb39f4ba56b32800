#include "models/encoder/weights_loader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "architectures/encoder/tensor_names.h"
#include "models/experts_sink.h"
#include "models/order_sink.h"
#include "models/tensor_sinks.h"

namespace quintet::encoder {
namespace {

constexpr std::string_view kScaleSuffix = ".scale";

// The place of a tensor of a module.
Place place_in(Module& module, const TensorRef& ref) {
  if (ref.is_bias) return &module.bias;
  if (ref.spec->is_matrix()) return &module.matrix;
  return &module.vector;
}

// Nothing for tensors that the model does not need. Creates a layer if the number of layers is not known.
std::optional<Place> place_of(Weights& weights, const EncoderConfig& config, const TensorRef& ref) {
  const TensorKind kind = ref.kind();
  if (ref.spec->in_layer()) {
    if (config.n_layers != 0 && ref.layer >= config.n_layers) return std::nullopt;
    if (ref.layer >= weights.layers.size()) weights.layers.resize(ref.layer + 1);
    return place_in(weights.layers[ref.layer][kind], ref);
  }
  if (is_of_head(kind) && !config.head) return std::nullopt;
  const bool is_before_classifier = kind == TensorKind::head_dense || kind == TensorKind::head_norm;
  if (is_before_classifier && !config.head->has_dense) return std::nullopt;
  if (kind >= TensorKind::embeddings_norm) return place_in(weights.shared[kind], ref);
  if (ref.is_bias) return std::nullopt;
  if (kind == TensorKind::embeddings && config.has_mlm_head) return &weights.shared[TensorKind::mlm_output].matrix;
  if (kind == TensorKind::embeddings) return &weights.word_embeddings;
  return kind == TensorKind::position_embeddings ? &weights.position_embeddings : &weights.token_type_embeddings;
}

Failure wrong_shape(const TensorInfo& info, std::string detail) {
  return tensor_error(Code::format, Reason::mismatch, info, "{}", detail);
}

struct MatrixShape {
  size_t rows = 0, cols = 0;
};

Result<MatrixShape> matrix_shape(const TensorInfo& info) {
  if (info.shape.size() != 2) {
    return wrong_shape(info, formatted("{} dimensions, but expected a matrix", info.shape.size()));
  }
  constexpr uint64_t kMax = INT32_MAX;
  const uint64_t rows = info.shape[0];
  const uint64_t cols = info.shape[1];
  if (rows == 0 || cols == 0 || rows > kMax || cols > kMax) {
    return wrong_shape(info, formatted("a matrix of {} x {}", rows, cols));
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
  lora_.begin(config.lora);
  weights_.layers.resize(static_cast<size_t>(std::min<uint64_t>(config.n_layers, kMaxLayers)));
}

void WeightsLoader::announce(const std::vector<TensorInfo>& tensors) {
  const TensorLookup lookup(tensors);
  for (const TensorInfo& scale : tensors) {
    if (!scale.name.ends_with(kScaleSuffix)) continue;
    const std::string matrix = scale.name.substr(0, scale.name.size() - kScaleSuffix.size());
    const TensorInfo* info = lookup.find(matrix);
    if (info == nullptr || !names_->ref_of(matrix) || info->shape.size() != 2 || scale.shape.size() != 2) continue;
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
  if (!LoraMerge::matrix_of(info.name).empty()) return lora_.tensor(tensor);
  const auto ref = names_->ref_of(info, config_);
  const auto place = ref ? place_of(weights_, config_, *ref) : std::nullopt;
  if (!place) return nullptr;
  if (ref->has_all_experts()) return experts_sink(tensor, *ref);
  QUINTET_TRY(auto sink, sink_at(tensor, *ref, *place));
  return order_sink(info, names_->order_of(*ref, config_), std::move(sink));
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::sink_at(const TensorArrival& tensor, const TensorRef& ref,
                                                         const Place& place) {
  const TensorInfo& info = tensor.info;
  if (auto* matrix = std::get_if<PackedMatrix*>(&place)) return rows_sink(tensor, ref, **matrix);
  if (auto* table = std::get_if<RowTable*>(&place)) return rows_sink(tensor, ref, **table);
  if (info.shape.size() != 1 && ref.spec->cols == Dim::none) {
    return wrong_shape(info, formatted("{} dimensions, but expected a vector", info.shape.size()));
  }
  return tensor_sink<SourceTypes::encoder>(tensor, *std::get<AlignedBuffer<float>*>(place));
}

class WeightsLoader::EncoderExperts final : public ExpertsSink {
 public:
  EncoderExperts(WeightsLoader& loader, TensorInfo one, bool bytes_exist, const TensorRef& ref)
      : ExpertsSink(one.bytes), loader_(loader), one_(std::move(one)), bytes_exist_(bytes_exist), ref_(ref) {}

 private:
  Result<std::unique_ptr<ByteSink>> make_sink(uint32_t expert) override {
    const TensorOrder order = loader_.names_->order_of(ref_, loader_.config_);
    TensorInfo rows = one_;
    if (order.is_transposed) std::swap(rows.shape[0], rows.shape[1]);
    Module& module = loader_.weights_.layers[ref_.layer].expert(expert, ref_.kind());
    QUINTET_TRY(auto sink, loader_.rows_sink({.info = rows, .bytes_exist = bytes_exist_}, ref_, module.matrix));
    return order_sink(one_, order, std::move(sink));
  }

  WeightsLoader& loader_;
  TensorInfo one_;  // the matrix of an expert as it is in the file
  bool bytes_exist_;
  TensorRef ref_;
};

// The matrices of the experts come one after another, each with rows or columns as in order_of().
Result<std::unique_ptr<ByteSink>> WeightsLoader::experts_sink(const TensorArrival& tensor, const TensorRef& ref) {
  const uint64_t n_experts = config_.n_experts;
  if (tensor.info.bytes % n_experts != 0) {
    return wrong_shape(tensor.info, formatted("its bytes are not those of {} experts", n_experts));
  }
  TensorInfo one = tensor.info;
  one.bytes /= n_experts;
  one.shape = {config_.expert_ff, config_.n_embd};
  const bool is_transposed = names_->order_of(ref, config_).is_transposed;
  if (ref.kind() == TensorKind::expert_down && !is_transposed) std::swap(one.shape[0], one.shape[1]);
  return std::make_unique<EncoderExperts>(*this, std::move(one), tensor.bytes_exist, ref);
}

// Plain types are stored as they are; what the kernels do not read is widened, or quantized if all is.
WeightsLoader::RowsForm WeightsLoader::rows_form(const TensorInfo& info, const TensorRef& ref) const {
  const Storage plain = info.quantized() ? Storage::f32 : storage_of(info.dtype).value_or(Storage::f32);
  if (plain == Storage::i8) return {.storage = plain, .group = group_of(info)};
  const bool quantizes = to_int8_ && ref.is_quantized() && !lora_.changes(info.name);
  return {.storage = quantizes ? Storage::i8 : plain, .quantizes = quantizes};
}

uint64_t WeightsLoader::bytes_of(const TensorInfo& info) {
  if (info.name.ends_with(kScaleSuffix)) return 0;
  const auto ref = names_->ref_of(info, config_);
  const auto place = ref ? place_of(weights_, config_, *ref) : std::nullopt;
  if (!place) return 0;
  const uint64_t values = info.elements();
  const auto shape = ref->has_all_experts() ? MatrixShape{static_cast<size_t>(values / config_.n_embd),
                                                          static_cast<size_t>(config_.n_embd)}
                                            : matrix_shape(info).value_or(MatrixShape());
  if (std::holds_alternative<AlignedBuffer<float>*>(*place) || shape.rows == 0) return values * sizeof(float);
  const RowsForm form = rows_form(info, *ref);
  return std::holds_alternative<RowTable*>(*place)
             ? RowTable(form.storage, shape.rows, shape.cols, form.group).whole_bytes()
             : PackedMatrix(form.storage, shape.rows, shape.cols, form.group).whole_bytes();
}

template <class Rows>
Result<std::unique_ptr<ByteSink>> WeightsLoader::rows_sink(const TensorArrival& tensor, const TensorRef& ref,
                                                           Rows& rows) {
  const TensorInfo& info = tensor.info;
  QUINTET_TRY(const MatrixShape shape, matrix_shape(info));
  if (lora_.changes(info.name)) lora_.expect(info.name);
  const RowsForm form = rows_form(info, ref);
  // An error: it cannot be replaced, because the sink of the first may still write to this matrix.
  if (rows.cols() != 0) return tensor_error(Code::format, Reason::duplicate, info, "another tensor is the same matrix");
  rows = Rows(form.storage, shape.rows, shape.cols, form.group);
  if (form.group != 0) quantized_.push_back(info.name);
  if (form.quantizes || info.quantized() || !storage_of(info.dtype))
    return tensor_sink<SourceTypes::encoder>(tensor, rows);
  return tensor_sink<SourceTypes::same>(tensor, rows);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::scale_sink(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  std::string matrix = info.name.substr(0, info.name.size() - kScaleSuffix.size());
  const auto ref = names_->ref_of(matrix);
  if (!ref || !place_of(weights_, config_, *ref)) return nullptr;
  if (info.dtype != Dtype::f32 && info.dtype != Dtype::f16 && info.dtype != Dtype::bf16) {
    return tensor_error(Code::unsupported, Reason::unknown_value, info,
                        "a vector of data type {}; supported are F32, F16 and BF16", name_of(info.dtype));
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
  QUINTET_CHECK(merge_adapters());
  const float offset = config_.has_norm_offset ? 1 : 0;
  Status completed;
  const auto complete_module = [&](Module& module) {
    if (completed) completed = complete(module, offset);
  };
  for (Layer& layer : weights_.layers) layer.for_each_module(complete_module);
  for (const TensorKind norm : {TensorKind::embeddings_norm, TensorKind::final_norm, TensorKind::head_norm,
                                TensorKind::relative_norm, TensorKind::mlm_norm, TensorKind::layer_embeddings_norm}) {
    if (weights_.shared.has(norm)) complete_module(weights_.shared[norm]);
  }
  return completed;
}

Status WeightsLoader::merge_adapters() {
  for (const auto& [name, factors] : lora_.factors()) {
    const auto ref = names_->ref_of(name);
    const std::optional<Place> place = ref ? place_of(weights_, config_, *ref) : std::nullopt;
    const bool to_int8 = to_int8_ && ref && ref->is_quantized();
    auto* matrix = place ? std::get_if<PackedMatrix*>(&*place) : nullptr;
    auto* table = place ? std::get_if<RowTable*>(&*place) : nullptr;
    if (matrix) QUINTET_CHECK(lora_.merge(name, factors, **matrix, to_int8));
    if (table) QUINTET_CHECK(lora_.merge(name, factors, **table, to_int8));
  }
  lora_.clear();
  return {};
}

Status WeightsLoader::join(const std::string& name, std::span<const float> scales) {
  const std::optional<Place> place = place_of(weights_, config_, *names_->ref_of(name));
  auto* matrix = std::get_if<PackedMatrix*>(&*place);
  auto* table = std::get_if<RowTable*>(&*place);
  const size_t rows = matrix ? (*matrix)->rows() : (*table)->rows();
  const size_t groups = matrix ? (*matrix)->groups() : (*table)->groups();
  if (scales.size() != uint64_t{rows} * groups) {
    return in_tensor(
        fail(Code::format, Reason::mismatch, "{} scales for {} rows of {} groups", scales.size(), rows, groups), name);
  }
  return matrix ? (*matrix)->set_scales(scales) : (*table)->set_scales(scales);
}

}  // namespace quintet::encoder
