#pragma once
// The activation functions of all models. GELU (Hendrycks and Gimpel 2016, arXiv:1606.08415) is x times the standard
// normal distribution function: exact, with erf, or the paper's approximation with tanh.

#include <cstdint>

namespace quintet {

enum class Activation : uint8_t { none, silu, gelu_erf, gelu_tanh, relu, relu_squared };

}  // namespace quintet
