#pragma once
// Applied to a sum before it is stored: of a GEMM, a float convolution, a statically quantized layer. These
// functions are not inlined, because every module contains them and runs them in its self-test alone.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/convolution.h"
#include "kernels/gemm.h"

namespace quintet::scalar {

// x times the probability that a standard normal variable is less than x.
[[gnu::noinline]] inline float gelu_erf(float x) {
  // Beyond 6 the factor is 0 or 1 to float precision; without the bound -infinity would give NaN.
  if (x < -6) x = -6;
  if (x > 6) return x;
  return 0.5f * x * std::erfc(-x * std::numbers::sqrt2_v<float> / 2);
}

[[gnu::noinline]] inline float finish(float sum, const Epilogue& epilogue, size_t m, size_t n) {
  float x = sum * epilogue.alpha;
  if (epilogue.bias != nullptr) x += epilogue.bias[n];
  if (epilogue.activation == Activation::gelu_erf) x = gelu_erf(x);
  if (epilogue.residual.data != nullptr) x += epilogue.residual.row(m)[n];
  return x;
}

// `offset`: of the channel of output `n` in the map. NaN stays NaN.
[[gnu::noinline]] inline float finish(float sum, const FloatEpilogue& epilogue, size_t offset, size_t n) {
  float y = sum;
  if (epilogue.bias != nullptr) y += epilogue.bias[n];
  if (epilogue.residual != nullptr) y += epilogue.residual[offset];
  return std::min(std::max(y, epilogue.min), epilogue.max);
}

// round_half_away(x) in [least, most]; NaN becomes `min`.
[[gnu::noinline]] inline int16_t round_and_clamp(float x, int32_t min, int32_t max) {
  const float low = static_cast<float>(min);
  const float rounded = std::round(x);
  return static_cast<int16_t>(std::min(rounded > low ? rounded : low, static_cast<float>(max)));
}

// The activation minus its zero point. `at`: its position in the output's map, and that of its residual in the other.
[[gnu::noinline]] inline int16_t requantize(uint32_t sum, const StaticEpilogue& epilogue, size_t channel, size_t at) {
  const auto biased = static_cast<int32_t>(sum + static_cast<uint32_t>(epilogue.bias[channel]));
  const int32_t zero = epilogue.zero_point;
  const int16_t q = round_and_clamp(epilogue.multiplier * static_cast<float>(biased), epilogue.min - zero, 255 - zero);
  if (epilogue.residual == nullptr) return q;
  const float own = epilogue.scale * static_cast<float>(q);
  const float other = epilogue.residual_scale * static_cast<float>(epilogue.residual[at]);
  return round_and_clamp((own + other) / epilogue.sum_scale, 0, 255 - epilogue.sum_zero_point);
}

}  // namespace quintet::scalar
