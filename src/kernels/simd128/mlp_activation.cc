#include "kernels/generic/mlp_activation.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {

void mlp_activation(Activation activation, const float* gate, const float* up, size_t count, float* y) {
  generic::mlp_activation<Arithmetic>(activation, gate, up, count, y);
}

}  // namespace quintet::simd128
