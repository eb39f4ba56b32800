#pragma once
// A batch norm behind a convolution, in inference, is a factor and a summand per output channel: both go into the
// convolution's parameters.

#include <span>

namespace quintet {

inline constexpr float kBatchNormEpsilon = 1e-5F;

struct BatchNorm {
  std::span<const float> gamma, beta, mean, variance;  // a value per channel
  float epsilon = kBatchNormEpsilon;
};

// weights, channel after channel: w * gamma / sqrt(variance + eps). bias: (b - mean) * gamma / sqrt(variance + eps) +
// beta. Computed in double, rounded once. Requires a bias value per channel (0 where the convolution has none) and
// weights that divide into them.
void fold_batch_norm(const BatchNorm& norm, std::span<float> weights, std::span<float> bias);

}  // namespace quintet
