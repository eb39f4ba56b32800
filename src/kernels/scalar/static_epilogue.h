#pragma once
// How a sum of a statically quantized layer becomes an activation, as kernels/convolution.h defines it.

#include <algorithm>
#include <cmath>

#include "kernels/convolution.h"

namespace quintet::scalar {

// round_half_away(x) in [least, most]; what is no number becomes `least`.
inline int16_t round_and_clamp(float x, int32_t least, int32_t most) {
  const float low = static_cast<float>(least);
  const float rounded = std::round(x);
  return static_cast<int16_t>(std::min(rounded > low ? rounded : low, static_cast<float>(most)));
}

// The activation less its zero point. `at`: where it lies in the output's map, and its residual in the other.
inline int16_t requantize(uint32_t sum, const StaticEpilogue& epilogue, size_t channel, size_t at) {
  const auto biased = static_cast<int32_t>(sum + static_cast<uint32_t>(epilogue.bias[channel]));
  const int32_t zero = epilogue.zero_point;
  const int16_t q =
      round_and_clamp(epilogue.multiplier * static_cast<float>(biased), epilogue.least - zero, 255 - zero);
  if (epilogue.residual == nullptr) return q;
  const float own = epilogue.scale * static_cast<float>(q);
  const float other = epilogue.residual_scale * static_cast<float>(epilogue.residual[at]);
  return round_and_clamp((own + other) / epilogue.sum_scale, 0, 255 - epilogue.sum_zero_point);
}

}  // namespace quintet::scalar
