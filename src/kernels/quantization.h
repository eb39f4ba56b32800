#pragma once
// How a row or block of activations becomes 7-bit or 8-bit integers: the steps in float that every
// variant takes alike, so that all of them give the same bytes.

#include <cmath>
#include <cstdint>
#include <limits>

#include "tensor/packed/packed_matrix.h"

namespace quintet {

// Steps on each side of kActivationZero.
constexpr float kActivationSteps = 63;
// Steps on each side of 0 for a block of its own.
constexpr float kBlockActivationSteps = 127;

struct RowScale {
  float scale;    // of one step; goes to the GEMM
  float inverse;  // steps per unit; 0 where all of it becomes zero
};

// `largest` is the greatest magnitude of the row; NaN or infinity if the row contains either.
inline RowScale row_scale(float largest, float steps = kActivationSteps) {
  // Below this the steps per unit overflow.
  constexpr float kSmallest = 1e-36f;
  if (largest < kSmallest) return {0, 0};
  // A row that is not finite makes all its results NaN; its bytes must still be valid operands.
  if (!std::isfinite(largest)) return {std::numeric_limits<float>::quiet_NaN(), 0};
  return {largest / steps, steps / largest};
}

}  // namespace quintet
