#pragma once
// The norms of a transformer as their kernels read them.

#include <vector>

#include "architectures/transformer/config.h"
#include "models/transformer/modules.h"

namespace quintet::transformer {

// Adds `offset` to the weights, and gives a LayerNorm without a bias, which networks may leave out, one of zeros.
template <class Module>
Status complete_norm(Module& norm, float offset, bool is_layer_norm) {
  for (float& weight : norm.vector.span()) weight += offset;
  return is_layer_norm && norm.bias.size() == 0 ? norm.bias.resize(norm.vector.size()) : Status();
}

// Completes all norms but those inside of mixers with a state, and those of layer inputs and LAuReL.
template <class Module>
Status complete_norms(const TransformerConfig& config, Modules<Module>& shared,
                      std::vector<LayerModules<Module>>& layers) {
  const float offset = config.has_norm_offset ? 1 : 0;
  const auto complete = [&](Modules<Module>& modules, TensorKind norm) {
    return modules.has(norm) ? complete_norm(modules[norm], offset, config.block.has_layer_norm) : Status();
  };
  for (const TensorKind norm : {TensorKind::embeddings_norm, TensorKind::relative_norm, TensorKind::final_norm,
                                TensorKind::head_norm, TensorKind::mlm_norm}) {
    QUINTET_CHECK(complete(shared, norm));
  }
  for (LayerModules<Module>& layer : layers) {
    for (size_t kind = 0; kind < kNormKinds; ++kind) {
      QUINTET_CHECK(complete(layer, static_cast<TensorKind>(kind)));
    }
  }
  return {};
}

}  // namespace quintet::transformer
