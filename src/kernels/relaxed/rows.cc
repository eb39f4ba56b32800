#include "kernels/generic/mlp_activation.h"
#include "kernels/generic/softmax.h"
#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {

void softmax_rows(const SoftmaxOperands& operands) { generic::softmax_rows<Arithmetic>(operands); }

void mlp_activation(const MlpActivationOperands& operands) { generic::mlp_activation<Arithmetic>(operands); }

}  // namespace quintet::relaxed
