#pragma once
// What happens to the sum of a convolution before it is stored.

#include <algorithm>

#include "kernels/convolution.h"

namespace quintet::scalar {

// `offset`: of output `n`'s channel in the map. What is no number stays none.
inline float finish(float sum, const FloatEpilogue& epilogue, size_t offset, size_t n) {
  float y = sum;
  if (epilogue.bias != nullptr) y += epilogue.bias[n];
  if (epilogue.residual != nullptr) y += epilogue.residual[offset];
  return epilogue.relu ? std::max(y, 0.0f) : y;
}

}  // namespace quintet::scalar
