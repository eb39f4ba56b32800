#include "models/decoder/weights.h"

#include <algorithm>

namespace quintet::decoder {
namespace {

bool has_finite_scales(const Module& module) {
  const auto* blocks = std::get_if<BlockMatrix>(&module.matrix);
  return blocks == nullptr || blocks->is_finite();
}

}  // namespace

size_t Weights::bytes() const {
  size_t bytes =
      embeddings.bytes() + final_norm.bytes() + output.bytes() + rope_freq_factors.capacity() * sizeof(float);
  for (const Layer& layer : layers) {
    for (const Module& module : layer.modules()) bytes += module.bytes();
  }
  return bytes;
}

bool Weights::have_finite_scales() const {
  return has_finite_scales(embeddings) && has_finite_scales(output) &&
         std::ranges::all_of(
             layers, [](const Layer& layer) { return std::ranges::all_of(layer.modules(), has_finite_scales); });
}

}  // namespace quintet::decoder
