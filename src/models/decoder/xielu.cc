#include "models/decoder/xielu.h"

#include <algorithm>
#include <cmath>

namespace quintet::decoder {
namespace {

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace

void apply_xielu(const Xielu& parameters, std::span<float> values) {
  const auto positive = static_cast<float>(softplus(parameters.positive));
  const auto negative = static_cast<float>(parameters.beta + softplus(parameters.negative));
  const auto beta = static_cast<float>(parameters.beta), eps = static_cast<float>(parameters.eps);
  for (float& x : values) {
    const float curved = x > 0 ? positive * x * x : negative * (std::expm1(std::min(x, eps)) - x);
    x = curved + beta * x;
  }
}

}  // namespace quintet::decoder
