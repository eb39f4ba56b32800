#pragma once

#include <cstddef>

namespace quintet {

struct RotationOperands {
  float* x;  // [heads][head_dim]
  size_t heads, head_dim, rope_dim;
  const float* cosines;  // [rope_dim / 2]
  const float* sines;    // likewise
};

// Rotary position embedding (Su et al. 2021, arXiv:2104.09864) in place: pairs element i < rope_dim / 2 of each head
// with element i + rope_dim / 2 and turns the pair by the angle whose cosine and sine are given.
using RotateHeads = void(const RotationOperands& operands);

}  // namespace quintet
