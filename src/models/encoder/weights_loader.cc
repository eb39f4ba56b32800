#include "models/encoder/weights_loader.h"

#include <algorithm>
#include <utility>

#include "models/tensor_sinks.h"
#include "models/transformer/norms.h"

namespace quintet::encoder {
namespace {

// The name of the matrix that has these scales; empty for other tensors.
std::string matrix_of_scales(std::string_view name) {
  return transformer::take_suffix(name, ".scale") ? std::string(name) : std::string();
}

Status check_vector(const TensorInfo& info, const TensorRef& ref) {
  if (info.shape.size() == 1 || ref.spec->cols != Dim::none) return {};
  return tensor_error(Code::format, Reason::mismatch, info, "{} dimensions, but expected a vector", info.shape.size());
}

}  // namespace

// Allocates all layers now, where their number is known.
void WeightsLoader::begin(const TensorNames& names, const EncoderConfig& config) {
  names_.emplace(names);
  config_ = config;
  lora_.begin(config.lora);
  weights_.layers.resize(static_cast<size_t>(std::min<uint64_t>(config.n_layers, kMaxLayers)));
}

std::optional<TensorRef> WeightsLoader::ref_of(const TensorInfo& info) const {
  const auto ref = names_->ref_of(info, config_);
  if (!ref) return std::nullopt;
  const TensorKind kind = ref->kind();
  const bool is_beyond = ref->in_layer() && config_.n_layers != 0 && ref->layer >= config_.n_layers;
  const bool is_bias_of_table = !ref->in_layer() && kind < TensorKind::embeddings_norm && ref->is_bias;
  const bool is_before_classifier = kind == TensorKind::head_dense || kind == TensorKind::head_norm;
  const bool is_of_no_head =
      transformer::is_of_head(kind) && (!config_.head || (is_before_classifier && !config_.head->has_dense));
  return is_beyond || is_bias_of_table || is_of_no_head ? std::nullopt : ref;
}

Status WeightsLoader::announce(const TensorInfo& info) {
  TensorInfo matrix;
  matrix.name = matrix_of_scales(info.name);
  if (!matrix.name.empty()) {
    if (ref_of(matrix)) companions_[matrix.name].groups = info.shape.size() == 2 ? info.shape[1] : 1;
    return {};
  }
  QUINTET_CHECK(add(info));
  return {};
}

uint64_t WeightsLoader::bytes_of(const TensorInfo& info) {
  const Slot* const slot = slot_of(info.name);
  if (slot == nullptr) return 0;
  const TensorInfo rows = slot->rows(info);
  const bool is_table = table_of(slot->ref.kind()) != nullptr;
  if ((is_table || slot->ref.is_matrix()) && check_matrix(rows)) {
    if (const auto form = form_of(rows, slot->ref)) {
      return slot->experts *
             (is_table ? form->empty<RowTable>(rows).whole_bytes() : form->empty<PackedMatrix>(rows).whole_bytes());
    }
  }
  return info.elements() * sizeof(float);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::tensor(const TensorArrival& tensor) {
  const std::string scaled = matrix_of_scales(tensor.info.name), adapted = LoraMerge::matrix_of(tensor.info.name);
  if (!scaled.empty()) return scale_sink(tensor, scaled);
  if (adapted.empty()) return transformer::WeightsLoader<WeightsLoader>::tensor(tensor);
  if (!lora_.changes(adapted)) return nullptr;
  return lora_.tensor(tensor, companions_[adapted].lora);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::scale_sink(const TensorArrival& tensor, const std::string& matrix) {
  const TensorInfo& info = tensor.info;
  const auto companions = companions_.find(matrix);
  if (companions == companions_.end()) return nullptr;
  if (info.dtype != Dtype::f32 && info.dtype != Dtype::f16 && info.dtype != Dtype::bf16) {
    return tensor_error(Code::unsupported, Reason::unknown_value, info,
                        "a vector of data type {}; supported are F32, F16 and BF16", name_of(info.dtype));
  }
  return tensor_sink<SourceTypes::encoder>(tensor, companions->second.scales);
}

// Null for tensors that are not embeddings.
RowTable* WeightsLoader::table_of(TensorKind kind) {
  if (kind == TensorKind::embeddings) return config_.has_mlm_head ? nullptr : &weights_.word_embeddings;
  if (kind == TensorKind::position_embeddings) return &weights_.position_embeddings;
  return kind == TensorKind::token_type_embeddings ? &weights_.token_type_embeddings : nullptr;
}

// Makes a layer if the number of layers is not known.
Module& WeightsLoader::module_of(const TensorRef& ref) {
  if (ref.kind() == TensorKind::embeddings) return weights_.shared[TensorKind::mlm_output];
  if (!ref.in_layer()) return weights_.shared[ref.kind()];
  if (ref.layer >= weights_.layers.size()) weights_.layers.resize(ref.layer + 1);
  return weights_.layers[ref.layer].of(ref);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::place(const TensorArrival& rows, const TensorRef& ref) {
  if (RowTable* const table = table_of(ref.kind())) return rows_sink(rows, ref, *table, &Companions::table);
  Module& module = module_of(ref);
  if (ref.is_matrix()) return rows_sink(rows, ref, module.matrix, &Companions::matrix);
  AlignedBuffer<float>& values = ref.is_bias ? module.bias : module.vector;
  if (values.size() != 0) return transformer::second_tensor(rows.info);
  QUINTET_CHECK(check_vector(rows.info, ref));
  return tensor_sink<SourceTypes::encoder>(rows, values);
}

template <class Rows>
Result<std::unique_ptr<ByteSink>> WeightsLoader::rows_sink(const TensorArrival& tensor, const TensorRef& ref,
                                                           Rows& rows, Rows* Companions::* place) {
  const TensorInfo& info = tensor.info;
  // An error: it cannot be replaced, because the sink of the first may still write to this matrix.
  if (rows.cols() != 0) return transformer::second_tensor(info);
  QUINTET_CHECK(check_matrix(info));
  QUINTET_TRY(const Form form, form_of(info, ref));
  if (form.has_companions) companions_[info.name].*place = &rows;
  rows = form.empty<Rows>(info);
  return form.keeps_type ? tensor_sink<SourceTypes::same>(tensor, rows)
                         : tensor_sink<SourceTypes::encoder>(tensor, rows);
}

// Plain types are stored as they are; what the kernels do not read is widened, or quantized if all is. A matrix with an
// adapter is quantized after that was added.
Result<WeightsLoader::Form> WeightsLoader::form_of(const TensorInfo& info, const TensorRef& ref) {
  const auto plain = info.quantized() ? std::nullopt : storage_of(info.dtype);
  const bool has_scales = plain == Storage::i8;
  const bool to_int8 = to_int8_ && ref.is_quantized() && !has_scales;
  Form form = {.storage = plain.value_or(Storage::f32),
               .keeps_type = plain.has_value(),
               .has_companions = has_scales || lora_.changes(info.name)};
  if (!form.has_companions) return to_int8 ? Form{.storage = Storage::i8} : form;
  Companions& companions = companions_[info.name];
  companions.needs_scales = has_scales;
  companions.to_int8 = to_int8;
  if (!has_scales) return form;
  if (ref.expert) return tensor_error(Code::unsupported, Reason::unsupported, info, "all experts in one int8 tensor");
  const uint64_t cols = info.shape[1], groups = companions.groups;
  form.group = static_cast<size_t>(groups != 0 && cols % groups == 0 ? cols / groups : cols);
  return form;
}

Status WeightsLoader::finish() {
  for (const auto& [name, companions] : companions_) {
    if (companions.matrix) QUINTET_CHECK(complete(name, companions, *companions.matrix));
    if (companions.table) QUINTET_CHECK(complete(name, companions, *companions.table));
  }
  companions_.clear();
  clear();
  return transformer::complete_norms(config_, weights_.shared, weights_.layers);
}

template <class Rows>
Status WeightsLoader::complete(const std::string& name, const Companions& companions, Rows& rows) const {
  if (companions.needs_scales) {
    const std::span<const float> scales = companions.scales.span();
    if (scales.empty()) return missing_tensor(name, "the scales of an int8 matrix are missing");
    if (scales.size() != uint64_t{rows.rows()} * rows.groups()) {
      return in_tensor(fail(Code::format, Reason::mismatch, "{} scales for {} rows of {} groups", scales.size(),
                            rows.rows(), rows.groups()),
                       name);
    }
    QUINTET_CHECK(rows.set_scales(scales));
  }
  return lora_.changes(name) ? lora_.merge(name, companions.lora, rows, companions.to_int8) : Status();
}

}  // namespace quintet::encoder
