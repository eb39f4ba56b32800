#pragma once
// Symmetric quantization of a block (RULINGS "AMB" 6): value = q * scale, q in [-limit, limit], scale = max|x| / limit
// in the type that the file stores it in. All values are finite.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "tensor/dtype.h"

namespace quintet {

// Round half to even, for |value| up to 2^22: the sum has no bits behind the point left, so that the addition rounds.
inline float round_half_even(float value) {
  constexpr float kNoFraction = 0x1.8p23F;
  return (value + kNoFraction) - kNoFraction;
}

float largest_magnitude(std::span<const float> values);

// max|x| / limit, less a rounding where limit times that would be infinite.
float float_scale(std::span<const float> values, float limit);

// The scale as it is stored: 0 for a block of zeros, and for values so small that it rounds to 0; they become zeros.
// Where it would round to infinity (FP16: |x| beyond 65504 * limit) the block cannot be stored: INPUT, out_of_range.
Result<float> symmetric_scale(std::span<const float> values, float limit, Dtype scale_dtype);

// q = round(x / scale), within the limit also where the stored scale is smaller than the exact one; 0 for a scale of 0.
void quantize_symmetric(std::span<const float> values, float scale, float limit, std::span<int8_t> q);

}  // namespace quintet
