#pragma once
// The parts of GGUF's blocks, as ggml defines them: integers, and the scales and minimums of the groups that share
// them.
//
//   value = q * scale, or q * scale + minimum

#include <array>
#include <cstddef>
#include <cstdint>

#include "tensor/dtype.h"
#include "tensor/quantization.h"

namespace quintet {

struct GgufBlock {
  static constexpr size_t kMostValues = 256;
  static constexpr size_t kMostGroups = 16;

  std::array<int8_t, kMostValues> q;  // two's complement, but from 0 on where there are minimums
  std::array<float, kMostGroups> scales, minimums;
};

struct GgufType {
  size_t values, bytes;  // of a block
  size_t group;          // values that share a scale
  unsigned bits;
  bool has_minimums;
  Dtype scale_dtype;  // that holds the scales exactly
  void (*split)(const std::byte* block, GgufBlock& parts);
};

// Of the schemes from q4_0 on.
const GgufType& gguf_type(Scheme scheme);

}  // namespace quintet
