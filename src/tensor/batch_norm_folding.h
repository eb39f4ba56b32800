#pragma once
// A batch norm after a convolution is, at inference, a factor and an addend per output channel, which can both be
// folded into the convolution's parameters.

#include <cmath>
#include <cstddef>
#include <span>

namespace quintet {

inline constexpr float kBatchNormEpsilon = 1e-5F;

struct BatchNorm {
  std::span<const float> gamma, beta, mean, variance;  // one value per channel
  float epsilon = kBatchNormEpsilon;
};

// weights, channel after channel: w * gamma / sqrt(variance + eps). bias: (b - mean) * gamma / sqrt(variance + eps) +
// beta. Computed in double, rounded once. Requires a bias value per channel (0 if the convolution has none) and
// weights that divide into them.
inline void fold_batch_norm(const BatchNorm& norm, std::span<float> weights, std::span<float> bias) {
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
