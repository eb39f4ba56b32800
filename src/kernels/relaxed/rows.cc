#include "kernels/generic/mlp_activation.h"
#include "kernels/generic/softmax.h"
#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {

void softmax_rows(float* x, size_t x_stride, size_t rows, size_t cols) {
  for (size_t r = 0; r < rows; ++r) generic::softmax_row<Arithmetic>(x + r * x_stride, cols);
}

void mlp_activation(Activation activation, const float* gate, const float* up, size_t count, float* y) {
  generic::mlp_activation<Arithmetic>(activation, gate, up, count, y);
}

}  // namespace quintet::relaxed
