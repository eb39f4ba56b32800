#include "tensor/quantize_int8.h"

#include <algorithm>
#include <cmath>

namespace quintet {

float quantize_int8(std::span<const float> values, std::span<int8_t> q) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  const float scale = largest / kInt8Limit;
  if (scale == 0) {
    std::ranges::fill(q, int8_t{0});
    return 0;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    // The quotient may lie a rounding beyond the limit where the scale is subnormal.
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

}  // namespace quintet
