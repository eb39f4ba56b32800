#pragma once
// Quantizes floats to integers with a scale, by the rules that the formats share. All values must be finite.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "tensor/dtype.h"

namespace quintet {

// Rounds half to even, for |value| up to 2^22: the sum has no fraction bits left, so that the addition itself rounds.
inline float round_half_even(float value) {
  constexpr float kNoFraction = 0x1.8p23F;
  return (value + kNoFraction) - kNoFraction;
}

// Symmetric: value = q * scale, q in [-limit, limit], scale = max|x| / limit (docs/formats/amb.md, "Weights").

// max|x| / limit; one step of float32 smaller if limit times that would be infinite.
float float_scale(std::span<const float> values, float limit);

// The scale as it is stored: 0 for a block of zeros, and for values so small that it rounds to 0; they become zeros. If
// it would round to infinity (FP16: |x| beyond 65504 * limit), the block cannot be stored: INPUT, out_of_range.
Result<float> stored_scale(std::span<const float> values, float limit, Dtype scale_dtype);

// q = round(x / scale), clamped to the limit in case the stored scale is smaller than the exact one; 0 for a scale of
// 0.
void quantize_symmetric(std::span<const float> values, float scale, float limit, std::span<int8_t> q);

// Symmetric int8 with a float32 scale. A row of a matrix is one group, or is divided into groups of equal length.

constexpr float kInt8Limit = 127.0F;

// Quantizes one group and returns its scale: max|x| / 127, and 0 (with all q = 0) for a group of zeros. Ties round to
// even. Requires q.size() == values.size().
float quantize_int8(std::span<const float> values, std::span<int8_t> q);

// Quantizes a row in scales.size() groups of equal length. Requires scales.size() to divide row.size().
void quantize_int8_row(std::span<const float> row, std::span<int8_t> q, std::span<float> scales);

// The reverse.
void dequantize_int8_row(std::span<const int8_t> q, std::span<const float> scales, std::span<float> row);

// Asymmetric int8: value = (q - zero_point) * scale.

struct ValueRange {
  float min = 0;
  float max = 0;
};

// Requires at least one value.
inline ValueRange range_of(std::span<const float> values) {
  ValueRange range = {.min = values[0], .max = values[0]};
  for (const float value : values) {
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
  }
  return range;
}

// The scale of a range of width zero, such as that of a group with one value.
constexpr float kConstantScale = 1e-4F;

struct GroupParameters {
  float scale = 0;
  int32_t zero_point = 0;
};

// scale = (max - min) / 255, zero point = round(-128 - min / scale), so that min is stored as -128. If the group is so
// narrow and so far from 0 that the zero point would not fit, the scale is increased as much as necessary; half of it
// is still less than the spacing of floats there. Requires at least one value.
GroupParameters asymmetric_parameters(std::span<const float> group);

// q = round(x / scale) + zero_point, clamped. (tinyRuntime's exporter wraps around when a tie rounds up at the top.)
int8_t quantize_asymmetric(float value, const GroupParameters& parameters);

// The divisor of n nearest to `wanted`, the smaller of two equally near ones (docs/formats/tinyruntime.md, "Values").
// Requires n >= 1.
uint32_t nearest_divisor(uint32_t wanted, uint32_t n);

}  // namespace quintet
