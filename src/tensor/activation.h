#pragma once
// The activation functions of all models. GELU (Hendrycks and Gimpel 2016, arXiv:1606.08415) is x times the standard
// normal distribution function: exact, with erf, or the paper's approximation with tanh. The square of ReLU: So et al.
// 2021, arXiv:2109.08668, section 4. Quick GELU, x sigmoid(1.702 x), is that of CLIP (openai/CLIP, model.py).

#include <cstdint>

namespace quintet {

// relu6, hard_sigmoid and hard_swish: Howard et al. 2019, arXiv:1905.02244, section 5.2.
enum class Activation : uint8_t {
  none,
  silu,
  gelu_erf,
  gelu_tanh,
  gelu_quick,
  relu,
  relu_squared,
  relu6,
  sigmoid,
  hard_sigmoid,
  hard_swish
};

}  // namespace quintet
