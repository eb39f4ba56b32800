#include "models/decoder/weights_loader.h"

#include <utility>

#include "base/checked.h"
#include "models/decoder/matrix_form.h"
#include "models/tensor_sinks.h"

namespace quintet::decoder {

void WeightsLoader::begin(const DecoderConfig& config, const TensorNames& names) {
  config_ = config;
  names_ = names;
  layers_.resize(static_cast<size_t>(config.n_layers));
}

std::optional<Role> WeightsLoader::role_of(const TensorInfo& info) const {
  const auto role = names_->role_of(info.name);
  if (!role || (role->in_layer() && role->layer >= config_.n_layers)) return std::nullopt;
  const bool is_tied = config_.tie_embeddings.value_or(false);
  if (role->part() == Part::output && !role->is_bias && is_tied) return std::nullopt;
  return role;
}

Module& WeightsLoader::module_of(const Role& role) {
  if (role.in_layer()) {
    std::unique_ptr<Layer>& layer = layers_[role.layer];
    if (!layer) layer = std::make_unique<Layer>();
    return (*layer)[role.part()];
  }
  switch (role.part()) {
    case Part::final_norm:
      return shared_.final_norm;
    case Part::output:
      return shared_.output;
    default:
      return shared_.embeddings;
  }
}

AlignedBuffer<float>* WeightsLoader::rope_factors(Part part) {
  switch (part) {
    case Part::rope_freq_factors:
      return &shared_.rope_freq_factors;
    case Part::rope_long_factors:
      return &shared_.rope_long_factors;
    case Part::rope_short_factors:
      return &shared_.rope_short_factors;
    default:
      return nullptr;
  }
}

Result<uint64_t> WeightsLoader::announce(const TensorInfo& info) {
  const auto role = role_of(info);
  if (!role) return 0;
  Slot& slot = slots_[info.name];
  slot.role = *role;
  if (role->is_bias || !role->row->is_matrix()) {
    return checked_mul(info.elements(), sizeof(float)).value_or(UINT64_MAX);
  }
  QUINTET_TRY(slot.form, matrix_form(info, most_bits_));
  return filled_bytes(*slot.form, info);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::tensor(const TensorArrival& tensor) {
  const auto found = slots_.find(tensor.info.name);
  if (found == slots_.end()) return nullptr;
  auto& [role, form] = found->second;
  if (AlignedBuffer<float>* factors = rope_factors(role.part())) return tensor_sink<SourceTypes::all>(tensor, *factors);
  Module& module = module_of(role);
  if (role.is_bias ? module.bias.size() != 0 : module.exists()) {
    return tensor_error(Code::format, Reason::duplicate, tensor.info, "a second tensor for the same part of the model");
  }
  auto sink = form ? matrix_sink(tensor, *std::move(form), module.matrix)
                   : tensor_sink<SourceTypes::all>(tensor, role.is_bias ? module.bias : module.vector);
  if (!sink) return sink;
  return head_order_sink(tensor.info, names_->interleaved_heads(role, config_), *std::move(sink));
}

Result<Weights> WeightsLoader::take(const DecoderConfig& config) {
  Weights weights = std::exchange(shared_, {});
  weights.layers.reserve(layers_.size());
  for (std::unique_ptr<Layer>& layer : layers_) weights.layers.push_back(std::move(*layer));
  layers_.clear();
  slots_.clear();
  if (config.has_norm_offset) weights.add_to_norms(1);
  if (config.block.has_layer_norm) QUINTET_CHECK(weights.complete_norms());
  if (config.tie_embeddings.value_or(false)) {
    if (weights.output.bias.size() != 0) {
      return unsupported_error("an output bias without an output matrix is not supported");
    }
    weights.output = {};
  }
  return weights;
}

}  // namespace quintet::decoder
