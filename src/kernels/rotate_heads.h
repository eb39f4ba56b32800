#pragma once

#include <cstddef>

namespace quintet {

// Rotary position embedding (Su et al. 2021, arXiv:2104.09864) in place: pairs element i < rope_dim / 2 of each head
// with element i + rope_dim / 2 and turns the pair by the angle whose cosine and sine are given. x [heads][head_dim].
using RotateHeads = void(float* x, size_t heads, size_t head_dim, size_t rope_dim, const float* cosines,
                         const float* sines);

}  // namespace quintet
