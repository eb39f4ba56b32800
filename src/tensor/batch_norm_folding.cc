#include "tensor/batch_norm_folding.h"

#include <cmath>
#include <cstddef>

namespace quintet {

void fold_batch_norm(const BatchNorm& norm, std::span<float> weights, std::span<float> bias) {
  const size_t per_channel = bias.empty() ? 0 : weights.size() / bias.size();
  for (size_t channel = 0; channel < bias.size(); ++channel) {
    const double factor = norm.gamma[channel] / std::sqrt(double{norm.variance[channel]} + double{norm.epsilon});
    for (float& weight : weights.subspan(channel * per_channel, per_channel)) {
      weight = static_cast<float>(weight * factor);
    }
    bias[channel] = static_cast<float>((double{bias[channel]} - norm.mean[channel]) * factor + norm.beta[channel]);
  }
}

}  // namespace quintet
