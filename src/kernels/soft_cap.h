#pragma once

#include <cstddef>

namespace quintet {

// x = cap * tanh(x / cap) in place, which bounds the values smoothly (Gemma 2, arXiv:2408.00118, section 2). cap > 0.
using SoftCap = void(float* x, size_t count, float cap);

}  // namespace quintet
