#include "architectures/transformer/placed_tensors.h"

namespace quintet::transformer {

const TensorInfo* PlacedModules::of_expert(uint32_t expert, TensorKind kind) const {
  const auto found = experts_.find(expert);
  return found == experts_.end() ? nullptr : found->second[expert_index(kind)];
}

Status PlacedModules::place(const TensorInfo& info, const TensorRef& ref) {
  PlacedModule& module = modules_[static_cast<size_t>(ref.kind())];
  const TensorInfo*& place = ref.expert    ? experts_[*ref.expert][expert_index(ref.kind())]
                             : ref.is_bias ? module.bias
                                           : module.weight;
  if (place) {
    return tensor_error(Code::format, Reason::duplicate, info, "the same part of the model as {}", place->name);
  }
  place = &info;
  if (!ref.is_bias || !module.spec) module.spec = ref.spec;
  return {};
}

Failure unknown_expert(const TensorInfo& info, uint64_t experts) {
  return tensor_error(Code::format, Reason::mismatch, info, "an expert beyond the {} of the configuration", experts);
}

const PlacedModules& PlacedTensors::layer(uint64_t index) const {
  static const PlacedModules kNone;
  return index < layers.size() ? layers[static_cast<size_t>(index)] : kNone;
}

}  // namespace quintet::transformer
