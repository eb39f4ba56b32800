#include "kernels/variants.h"

namespace quintet::scalar {

void sum_channels(const SumChannelsOperands& in) {
  for (size_t r = 0; r < in.rows; ++r) {
    const float* const x = in.x.row(r);
    for (size_t c = 0; c < in.cols; ++c) in.sums[c] += in.squares ? x[c] * x[c] : x[c];
  }
}

void scale_channels(const ScaleChannelsOperands& in) {
  for (size_t r = 0; r < in.rows; ++r) {
    float* const x = in.x.row(r);
    for (size_t c = 0; c < in.cols; ++c) {
      const float product = x[c] * in.factors[c];
      x[c] = in.bias == nullptr ? product : product + in.bias[c];
    }
  }
}

}  // namespace quintet::scalar
