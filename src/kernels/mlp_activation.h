#pragma once

#include <cstddef>

#include "tensor/activation.h"

namespace quintet {

// The activation of a decoder's MLP: y = activation(gate) * up, elementwise, as in gated linear units (Shazeer 2020,
// arXiv:2002.05202); y = activation(gate) if `up` is null. y may be gate. `activation` must not be none.
using MlpActivation = void(Activation activation, const float* gate, const float* up, size_t count, float* y);

}  // namespace quintet
