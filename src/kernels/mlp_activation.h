#pragma once

#include <cstddef>

#include "tensor/activation.h"

namespace quintet {

struct MlpActivationOperands {
  Activation activation;  // not none
  const float* gate;      // [count]
  const float* up;        // likewise, or null
  size_t count;
  float* y;  // [count]; may be gate
};

// The activation of an MLP: y = activation(gate) * up, elementwise, as in gated linear units (Shazeer 2020,
// arXiv:2002.05202); y = activation(gate) if `up` is null.
using MlpActivation = void(const MlpActivationOperands& operands);

}  // namespace quintet
