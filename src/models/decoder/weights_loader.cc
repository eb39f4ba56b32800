#include "models/decoder/weights_loader.h"

#include <utility>

#include "base/checked.h"
#include "models/decoder/matrix_form.h"
#include "models/tensor_sinks.h"
#include "models/transformer/norms.h"

namespace quintet::decoder {

void WeightsLoader::begin(const DecoderConfig& config, const TensorNames& names) {
  config_ = config;
  names_ = names;
  layers_.resize(static_cast<size_t>(config.n_layers));
}

std::optional<TensorRef> WeightsLoader::ref_of(const TensorInfo& info) const {
  const auto ref = names_->ref_of(info.name);
  return ref && is_used(*ref) ? ref : std::nullopt;
}

// Files may contain keys and values for layers that read those of another layer, or that use their keys as values.
bool WeightsLoader::is_used(const TensorRef& ref) const {
  if (!ref.in_layer()) {
    if (ref.kind() == TensorKind::position_embeddings) return config_.has_position_embeddings;
    return ref.kind() != TensorKind::output || ref.is_bias || !config_.tie_embeddings.value_or(false);
  }
  if (ref.layer >= config_.n_layers) return false;
  const bool has_own = config_.has_own_kv(ref.layer), has_values = config_.has_values(ref.layer);
  if (ref.kind() == TensorKind::qkv) return has_own && has_values;
  return !ref.is_of_own_kv() || (has_own && (has_values || ref.kind() != TensorKind::value));
}

// Few values decide which experts compute.
std::optional<BlockBits> WeightsLoader::max_bits_of(const TensorRef& ref) const {
  return ref.kind() == TensorKind::router ? std::nullopt : max_bits_;
}

Module& WeightsLoader::module_of(const TensorRef& ref) {
  if (!ref.in_layer()) return weights_.shared[ref.kind()];
  std::unique_ptr<Layer>& layer = layers_[ref.layer];
  if (!layer) layer = std::make_unique<Layer>();
  return layer->of(ref);
}

Result<uint64_t> WeightsLoader::announce(const TensorInfo& info) {
  QUINTET_TRY(const Slot* const slot, add(info));
  if (slot == nullptr) return 0;
  if (!slot->ref.is_matrix()) return checked_mul(info.elements(), sizeof(float)).value_or(UINT64_MAX);
  const TensorInfo rows = slot->rows(info);
  QUINTET_TRY(const MatrixForm form, matrix_form(rows, max_bits_of(slot->ref)));
  return checked_mul(filled_bytes(form, rows), slot->experts).value_or(UINT64_MAX);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::place(const TensorArrival& rows, const TensorRef& ref) {
  Module& module = module_of(ref);
  if (ref.is_bias ? module.bias.size() != 0 : module.exists()) return transformer::second_tensor(rows.info);
  if (!ref.is_matrix()) return tensor_sink<SourceTypes::all>(rows, ref.is_bias ? module.bias : module.vector);
  QUINTET_TRY(MatrixForm form, matrix_form(rows.info, max_bits_of(ref)));
  return matrix_sink(rows, std::move(form), module.matrix);
}

Result<Weights> WeightsLoader::take(const DecoderConfig& config) {
  Weights weights = std::exchange(weights_, {});
  weights.layers.reserve(layers_.size());
  for (std::unique_ptr<Layer>& layer : layers_) weights.layers.push_back(std::move(*layer));
  layers_.clear();
  clear();
  if (config.has_xielu) weights.set_xielu(config.xielu);
  if (config.has_mamba()) weights.prepare_mamba(config);
  if (config.has_log_delta_rates) weights.prepare_delta_nets();
  QUINTET_CHECK(transformer::complete_norms(config, weights.shared, weights.layers));
  if (config.tie_embeddings.value_or(false)) {
    if (weights.shared[TensorKind::output].bias.size() != 0) {
      return unsupported_error("an output bias without an output matrix is not supported");
    }
    weights.shared[TensorKind::output] = {};
  }
  return weights;
}

}  // namespace quintet::decoder
