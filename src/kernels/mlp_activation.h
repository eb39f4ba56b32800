#pragma once

#include <cstddef>

#include "tensor/activation.h"

namespace quintet {

// The activation of a decoder's MLP: y = activation(gate) * up, elementwise, as in gated linear units (Shazeer 2020,
// arXiv:2002.05202); y = activation(gate) where `up` is null. y may be gate. `activation` is not none.
using MlpActivation = void(Activation activation, const float* gate, const float* up, size_t count, float* y);

}  // namespace quintet
