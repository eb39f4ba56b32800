#pragma once
// How simd128 keeps quantized activations: as 16-bit integers, the two even elements of a quad and
// then the two odd ones, so that each pair is one operand of the 16-bit dot product.

#include <cstddef>

#include "kernels/kernels.h"

namespace quintet::simd128 {

constexpr size_t kSplitQuadBytes = 8;
static_assert(kSplitQuadBytes <= kActivationQuadBytes);

}  // namespace quintet::simd128
