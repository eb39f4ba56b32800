#pragma once
// Checks whether numbers are finite.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "tensor/dtype.h"

namespace quintet {

// No NaN and no infinity among the values. Called for the logits of every token.
bool all_finite(std::span<const float> values);
// No NaN and no infinity among halves, little-endian and unaligned.
bool all_finite_halves(Bytes halves);
// No NaN and no infinity among the values once they are rounded to f32, f16 or bf16.
bool all_finite_as(Dtype dtype, std::span<const float> values);

// max|x|, 0 for no values. Infinity and NaN count as larger than every number.
float max_abs(const float* values, size_t count);
inline float max_abs(std::span<const float> values) { return max_abs(values.data(), values.size()); }

}  // namespace quintet
