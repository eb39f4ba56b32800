#pragma once

#include "kernels/convolution.h"

namespace quintet {

// Maxima of windows of 3x3, two apart: `input` is where the first begins. All channels of the grid are computed. A
// border of zeros takes part, which changes nothing behind a ReLU.
template <class T>
using MaxPool = void(const T* input, size_t row_stride, T* output, const OutputGrid& grid);
using MaxPoolF32 = MaxPool<float>;
using MaxPoolI16 = MaxPool<int16_t>;

}  // namespace quintet
