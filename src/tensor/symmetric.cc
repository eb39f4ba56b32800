#include "tensor/symmetric.h"

#include <algorithm>
#include <cmath>

#include "base/half.h"

namespace quintet {

float largest_magnitude(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

float float_scale(std::span<const float> values, float limit) {
  const float scale = largest_magnitude(values) / limit;
  return std::isinf(scale * limit) ? std::nextafter(scale, 0.0F) : scale;
}

Result<float> symmetric_scale(std::span<const float> values, float limit, Dtype scale_dtype) {
  const float scale = float_scale(values, limit);
  if (scale_dtype != Dtype::f16) return scale;
  const float stored = f16_to_f32(f32_to_f16(scale));
  if (std::isinf(stored)) {
    return input_error(Reason::out_of_range, "a value is too large for an FP16 scale; FP32 scales hold it");
  }
  return stored;
}

void quantize_symmetric(std::span<const float> values, float scale, float limit, std::span<int8_t> q) {
  if (scale == 0) {
    std::ranges::fill(q, int8_t{0});
    return;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    q[i] = static_cast<int8_t>(round_half_even(std::clamp(values[i] / scale, -limit, limit)));
  }
}

}  // namespace quintet
