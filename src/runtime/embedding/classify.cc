#include "runtime/embedding/classify.h"

#include "kernels/registry.h"
#include "runtime/embedding/dense.h"

namespace quintet {

void apply_head(const TextEmbedder::Model& model, std::vector<float>& vectors, size_t count) {
  using encoder::TensorKind;
  const EncoderConfig& config = model.config;
  const Modules<encoder::Module>& modules = model.weights.shared;
  const auto& kernels = active_kernels<KernelSet::encoder>();
  const encoder::Module& dense = modules[TensorKind::head_dense];
  const encoder::Module& norm = modules[TensorKind::head_norm];
  if (dense.exists()) apply_dense(dense, config.head->activation, kernels, vectors, count);
  if (norm.exists()) {
    const Rows rows = {vectors.data(), config.hidden_size()};
    kernels.layer_norm_rows({.x = rows,
                             .rows = count,
                             .cols = config.hidden_size(),
                             .gamma = norm.vector.data(),
                             .beta = norm.bias.data(),
                             .epsilon = static_cast<float>(config.norm_eps),
                             .y = rows});
  }
  apply_dense(modules[TensorKind::classifier], DenseActivation::identity, kernels, vectors, count);
}

}  // namespace quintet
