#pragma once

#include "kernels/convolution.h"

namespace quintet {

// Maxima of 3x3 windows with stride two: `input` is the start of the first. All channels of the grid are computed. A
// border of zeros is included, which changes nothing after a ReLU.
template <class T>
using MaxPool = void(const T* input, size_t row_stride, T* output, const OutputGrid& grid);
using MaxPoolF32 = MaxPool<float>;
using MaxPoolI16 = MaxPool<int16_t>;

}  // namespace quintet
