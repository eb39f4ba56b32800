#pragma once

#include <cstdint>

namespace quintet::relaxed {

// The instruction for the relaxed dot product, whose second operand the standard limits to 7 bits. The result for 8
// bits reveals which instruction the engine uses.
enum class RelaxedDot : uint8_t {
  // No single instruction does it all: V8 then emits five on x86-64, although three steps would do: products of pairs,
  // which saturate to 16 bits, sums of pairs, addition.
  paired,
  // One instruction does, with a second operand of unsigned bytes (AVX-VNNI).
  fused_unsigned,
  // One instruction does, with a second operand of signed bytes (SDOT of ARM).
  fused_signed,
};

RelaxedDot relaxed_dot();

}  // namespace quintet::relaxed
