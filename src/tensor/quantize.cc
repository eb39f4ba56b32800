#include "tensor/quantize.h"

#include <algorithm>
#include <cmath>

#include "base/half.h"
#include "tensor/finite.h"

namespace quintet {

float float_scale(std::span<const float> values, float limit) {
  const float scale = max_abs(values) / limit;
  return std::isinf(scale * limit) ? std::nextafter(scale, 0.0F) : scale;
}

Result<float> stored_scale(std::span<const float> values, float limit, Dtype scale_dtype) {
  const float scale = float_scale(values, limit);
  if (scale_dtype != Dtype::f16) return scale;
  const float stored = f16_to_f32(f32_to_f16(scale));
  if (std::isinf(stored)) {
    return input_error(Reason::out_of_range, "a value is too large for an FP16 scale; use FP32 scales");
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

float quantize_int8(std::span<const float> values, std::span<int8_t> q) {
  const float scale = max_abs(values) / kInt8Limit;
  if (scale == 0) {
    std::ranges::fill(q, int8_t{0});
    return 0;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    // The quotient may exceed the limit by a rounding error if the scale is subnormal.
    const float steps = std::clamp(std::nearbyint(values[i] / scale), -kInt8Limit, kInt8Limit);
    q[i] = static_cast<int8_t>(steps);
  }
  return scale;
}

void quantize_int8_row(std::span<const float> row, std::span<int8_t> q, std::span<float> scales) {
  const size_t group = row.size() / scales.size();
  for (size_t g = 0; g < scales.size(); ++g) {
    scales[g] = quantize_int8(row.subspan(g * group, group), q.subspan(g * group, group));
  }
}

void dequantize_int8_row(std::span<const int8_t> q, std::span<const float> scales, std::span<float> row) {
  const size_t group = row.size() / scales.size();
  for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(q[i]) * scales[i / group];
}

GroupParameters asymmetric_parameters(std::span<const float> group) {
  const ValueRange range = range_of(group);
  const float width = range.max - range.min;
  float scale = std::isfinite(width) ? width / 255 : range.max / 255 - range.min / 255;
  if (scale == 0) scale = kConstantScale;
  constexpr float kFarthest = 0x1p30F;  // steps from 0 to the group
  scale = std::max(scale, std::max(std::fabs(range.min), std::fabs(range.max)) / kFarthest);
  return {.scale = scale, .zero_point = static_cast<int32_t>(std::nearbyint(-128 - range.min / scale))};
}

int8_t quantize_asymmetric(float value, const GroupParameters& parameters) {
  constexpr float kMaxSteps = 0x1p31F;  // beyond which any zero point leaves q at its limit
  const float steps = std::clamp(std::nearbyint(value / parameters.scale), -kMaxSteps, kMaxSteps);
  const int64_t q = static_cast<int64_t>(steps) + parameters.zero_point;
  return static_cast<int8_t>(std::clamp<int64_t>(q, INT8_MIN, INT8_MAX));
}

uint32_t nearest_divisor(uint32_t asked, uint32_t n) {
  if (asked >= n) return n;
  const auto divides = [n](uint32_t size) { return size != 0 && n % size == 0; };
  for (uint32_t distance = 0;; ++distance) {
    if (distance <= asked && divides(asked - distance)) return asked - distance;
    if (divides(asked + distance)) return asked + distance;
  }
}

}  // namespace quintet
