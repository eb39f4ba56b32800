#pragma once
// What happens to a sum before it is stored.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/kernels.h"

namespace quintet::scalar {

// x times the probability that a standard normal variable is less than x.
inline float gelu_erf(float x) {
  // Beyond 6 the factor is 0 or 1 to float precision; without the bound -infinity would give NaN.
  if (x < -6) x = -6;
  if (x > 6) return x;
  return 0.5f * x * std::erfc(-x * std::numbers::sqrt2_v<float> / 2);
}

inline float finish(float sum, const Epilogue& epilogue, size_t m, size_t n) {
  float x = sum * epilogue.alpha;
  if (epilogue.bias != nullptr) x += epilogue.bias[n];
  if (epilogue.activation == Activation::gelu_erf) x = gelu_erf(x);
  if (epilogue.residual != nullptr) x += epilogue.residual[m * epilogue.residual_stride + n];
  return x;
}

}  // namespace quintet::scalar
