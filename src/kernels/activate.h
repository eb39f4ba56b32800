#pragma once

#include <cstddef>

#include "tensor/activation.h"

namespace quintet {

// x = activation(x), elementwise, for the activations of image networks: all but relu_squared.
using Activate = void(Activation activation, float* x, size_t count);

}  // namespace quintet
