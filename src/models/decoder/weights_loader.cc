#include "models/decoder/weights_loader.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "models/decoder/matrix_form.h"
#include "models/tensor_sinks.h"

namespace quintet::decoder {
namespace {

// What one expert has of a tensor of all experts.
TensorInfo one_expert(const TensorInfo& all) {
  TensorInfo one = all;
  one.bytes = all.bytes / all.shape[0];
  one.shape.erase(one.shape.begin());
  return one;
}

// Passes equal shares of the bytes to several sinks, one after another.
class ExpertsSink final : public ByteSink {
 public:
  ExpertsSink(std::vector<std::unique_ptr<ByteSink>> sinks, uint64_t share) : sinks_(std::move(sinks)), share_(share) {}

  Status write(Bytes piece) override {
    while (!piece.empty() && current_ < sinks_.size()) {
      const Bytes part = piece.first(static_cast<size_t>(std::min<uint64_t>(piece.size(), share_ - written_)));
      QUINTET_CHECK(sinks_[current_]->write(part));
      piece = piece.subspan(part.size());
      written_ += part.size();
      if (written_ != share_) continue;
      QUINTET_CHECK(sinks_[current_++]->finish());
      written_ = 0;
    }
    return {};
  }
  Status finish() override { return current_ < sinks_.size() ? sinks_[current_]->finish() : Status(); }

 private:
  std::vector<std::unique_ptr<ByteSink>> sinks_;
  uint64_t share_;
  uint64_t written_ = 0;  // of the current share
  size_t current_ = 0;
};

}  // namespace

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
    if (!role.expert) return (*layer)[role.part()];
    layer->experts().resize(static_cast<size_t>(config_.n_experts));
    return layer->experts()[*role.expert][expert_index(role.part())];
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
  if (role->has_all_experts()) {
    const TensorInfo one = one_expert(info);
    QUINTET_TRY(const MatrixForm form, matrix_form(one, most_bits_));
    return checked_mul(filled_bytes(form, one), info.shape[0]).value_or(UINT64_MAX);
  }
  // Few values decide which experts compute.
  QUINTET_TRY(slot.form, matrix_form(info, role->part() == Part::router ? std::nullopt : most_bits_));
  return filled_bytes(*slot.form, info);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::tensor(const TensorArrival& tensor) {
  const auto found = slots_.find(tensor.info.name);
  if (found == slots_.end()) return nullptr;
  auto& [role, form] = found->second;
  if (AlignedBuffer<float>* factors = rope_factors(role.part())) return tensor_sink<SourceTypes::all>(tensor, *factors);
  if (role.has_all_experts()) return experts_sink(tensor, role);
  Module& module = module_of(role);
  if (role.is_bias ? module.bias.size() != 0 : module.exists()) {
    return tensor_error(Code::format, Reason::duplicate, tensor.info, "a second tensor for the same part of the model");
  }
  auto sink = form ? matrix_sink(tensor, *std::move(form), module.matrix)
                   : tensor_sink<SourceTypes::all>(tensor, role.is_bias ? module.bias : module.vector);
  if (!sink) return sink;
  return head_order_sink(tensor.info, names_->interleaved_heads(role, config_), *std::move(sink));
}

// A tensor of all experts has their matrices one after another.
Result<std::unique_ptr<ByteSink>> WeightsLoader::experts_sink(const TensorArrival& tensor, const Role& role) {
  const TensorInfo info = one_expert(tensor.info);
  std::vector<std::unique_ptr<ByteSink>> sinks;
  for (uint32_t expert = 0; expert < config_.n_experts; ++expert) {
    Role one = role;
    one.expert = expert;
    Module& module = module_of(one);
    if (module.exists()) {
      return tensor_error(Code::format, Reason::duplicate, tensor.info,
                          "a second tensor for the same part of the model");
    }
    QUINTET_TRY(MatrixForm form, matrix_form(info, most_bits_));
    QUINTET_TRY(auto sink,
                matrix_sink({.info = info, .bytes_exist = tensor.bytes_exist}, std::move(form), module.matrix));
    sinks.push_back(std::move(sink));
  }
  return std::make_unique<ExpertsSink>(std::move(sinks), info.bytes);
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
