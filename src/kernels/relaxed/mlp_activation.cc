#include "kernels/generic/mlp_activation.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {

void mlp_activation(Activation activation, const float* gate, const float* up, size_t count, float* y) {
  generic::mlp_activation<Arithmetic>(activation, gate, up, count, y);
}

}  // namespace quintet::relaxed
