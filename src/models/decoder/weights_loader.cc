#include "models/decoder/weights_loader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/checked.h"
#include "models/decoder/matrix_form.h"
#include "models/experts_sink.h"
#include "models/order_sink.h"
#include "models/tensor_sinks.h"
#include "tensor/block_types.h"

namespace quintet::decoder {
namespace {

Failure second_tensor(const TensorInfo& info) {
  return tensor_error(Code::format, Reason::duplicate, info, "a second tensor for the same part of the model");
}

// One expert's part of a tensor of all experts.
TensorInfo one_expert(const TensorInfo& all) {
  TensorInfo one = all;
  one.bytes = all.bytes / all.shape[0];
  one.shape.erase(one.shape.begin());
  return one;
}

// Transposed: its rows are used, but the file has columns.
TensorInfo by_rows(const TensorInfo& info, const TensorOrder& order) {
  TensorInfo rows = info;
  if (order.is_transposed && rows.shape.size() == 2) std::swap(rows.shape[0], rows.shape[1]);
  return rows;
}

// The matrices of all experts can only be separated if the bytes of each are contiguous. In AMB's and ALT's quantized
// types, they follow the scales of all.
Status check_experts(const TensorInfo& info, const TensorRef& ref, uint64_t experts) {
  if (ref.expert && *ref.expert >= experts) return unknown_expert(info, experts);
  if (!ref.has_all_experts()) return {};
  if (info.shape.size() != 3 || info.shape[0] != experts || info.bytes % experts != 0) {
    return tensor_error(Code::format, Reason::mismatch, info, "shape {}, but expected the matrices of {} experts",
                        shape_text(info.shape), experts);
  }
  if (!info.quantized() || codec_of(info.quantization.scheme) == Codec::gguf) return {};
  return tensor_error(Code::unsupported, Reason::unsupported, info, "all experts in one tensor of type {}",
                      name_of(info.quantization.scheme));
}

}  // namespace

void WeightsLoader::begin(const DecoderConfig& config, const TensorNames& names) {
  config_ = config;
  names_ = names;
  layers_.resize(static_cast<size_t>(config.n_layers));
}

std::optional<TensorRef> WeightsLoader::ref_of(const TensorInfo& info) const {
  const auto ref = names_->ref_of(info.name);
  if (!ref || (ref->in_layer() && ref->layer >= config_.n_layers)) return std::nullopt;
  if (ref->in_mixture() && !config_.has_experts(ref->layer)) return std::nullopt;
  if (ref->is_layer_input() && config_.layer_input_width == 0) return std::nullopt;
  if (ref->in_layer() && !is_used(*ref)) return std::nullopt;
  if (ref->kind() == TensorKind::position_embeddings && !config_.has_position_embeddings) return std::nullopt;
  const bool is_tied = config_.tie_embeddings.value_or(false);
  if (ref->kind() == TensorKind::output && !ref->is_bias && is_tied) return std::nullopt;
  return ref;
}

// Files may contain keys and values for layers that read those of another layer, or that use their keys as values.
bool WeightsLoader::is_used(const TensorRef& ref) const {
  const bool has_own = config_.has_own_kv(ref.layer), has_values = config_.has_values(ref.layer);
  if (ref.kind() == TensorKind::qkv) return has_own && has_values;
  return !ref.is_of_own_kv() || (has_own && (has_values || ref.kind() != TensorKind::value));
}

Module& WeightsLoader::module_of(const TensorRef& ref) {
  if (!ref.in_layer()) return weights_.shared[ref.kind()];
  std::unique_ptr<Layer>& layer = layers_[ref.layer];
  if (!layer) layer = std::make_unique<Layer>();
  return ref.expert ? layer->expert(*ref.expert, ref.kind()) : (*layer)[ref.kind()];
}

Result<uint64_t> WeightsLoader::announce(const TensorInfo& info) {
  const auto ref = ref_of(info);
  if (!ref) return 0;
  Slot& slot = slots_[info.name];
  slot.ref = *ref;
  if (ref->is_bias || !ref->spec->is_matrix()) {
    return checked_mul(info.elements(), sizeof(float)).value_or(UINT64_MAX);
  }
  QUINTET_CHECK(check_experts(info, *ref, config_.n_experts));
  if (ref->has_all_experts()) {
    const TensorInfo one = one_expert(info);
    QUINTET_TRY(const MatrixForm form, matrix_form(one, max_bits_));
    return checked_mul(filled_bytes(form, one), info.shape[0]).value_or(UINT64_MAX);
  }
  // Few values decide which experts compute.
  const TensorInfo rows = by_rows(info, names_->order_of(*ref, config_));
  QUINTET_TRY(slot.form, matrix_form(rows, ref->kind() == TensorKind::router ? std::nullopt : max_bits_));
  return filled_bytes(*slot.form, rows);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::tensor(const TensorArrival& tensor) {
  const auto found = slots_.find(tensor.info.name);
  if (found == slots_.end()) return nullptr;
  auto& [ref, form] = found->second;
  if (ref.has_all_experts()) return experts_sink(tensor, ref);
  Module& module = module_of(ref);
  if (ref.is_bias ? module.bias.size() != 0 : module.exists()) {
    return second_tensor(tensor.info);
  }
  const TensorOrder order = names_->order_of(ref, config_);
  const TensorArrival rows = {.info = by_rows(tensor.info, order), .bytes_exist = tensor.bytes_exist};
  auto sink = form ? matrix_sink(rows, *std::move(form), module.matrix)
                   : tensor_sink<SourceTypes::all>(rows, ref.is_bias ? module.bias : module.vector);
  if (!sink) return sink;
  return order_sink(tensor.info, order, *std::move(sink));
}

class WeightsLoader::DecoderExperts final : public ExpertsSink {
 public:
  DecoderExperts(WeightsLoader& loader, TensorInfo one, bool bytes_exist, const TensorRef& ref)
      : ExpertsSink(one.bytes), loader_(loader), one_(std::move(one)), bytes_exist_(bytes_exist), ref_(ref) {}

 private:
  Result<std::unique_ptr<ByteSink>> make_sink(uint32_t expert) override {
    ref_.expert = expert;
    Module& module = loader_.module_of(ref_);
    if (module.exists()) return second_tensor(one_);
    QUINTET_TRY(MatrixForm form, matrix_form(one_, loader_.max_bits_));
    return matrix_sink({.info = one_, .bytes_exist = bytes_exist_}, std::move(form), module.matrix);
  }

  WeightsLoader& loader_;
  TensorInfo one_;  // what an expert has of the tensor
  bool bytes_exist_;
  TensorRef ref_;
};

// A tensor of all experts has their matrices one after another.
std::unique_ptr<ByteSink> WeightsLoader::experts_sink(const TensorArrival& tensor, const TensorRef& ref) {
  return std::make_unique<DecoderExperts>(*this, one_expert(tensor.info), tensor.bytes_exist, ref);
}

Result<Weights> WeightsLoader::take(const DecoderConfig& config) {
  Weights weights = std::exchange(weights_, {});
  weights.layers.reserve(layers_.size());
  for (std::unique_ptr<Layer>& layer : layers_) weights.layers.push_back(std::move(*layer));
  layers_.clear();
  slots_.clear();
  if (config.has_xielu) weights.set_xielu(config.xielu);
  if (config.has_norm_offset) weights.add_to_norms(1);
  if (config.has_mamba()) weights.prepare_mamba(config);
  if (config.has_log_delta_rates) weights.prepare_delta_nets();
  if (config.block.has_layer_norm) QUINTET_CHECK(weights.complete_norms());
  if (config.tie_embeddings.value_or(false)) {
    if (weights.shared[TensorKind::output].bias.size() != 0) {
      return unsupported_error("an output bias without an output matrix is not supported");
    }
    weights.shared[TensorKind::output] = {};
  }
  return weights;
}

}  // namespace quintet::decoder
