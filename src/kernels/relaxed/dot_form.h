#pragma once

#include <cstdint>

namespace quintet::relaxed {

// How an engine compiles the fused dot product, whose second operand has 7 bits as far as the standard goes. What it
// does with more tells which instruction it uses.
enum class DotForm : uint8_t {
  // None: V8 then takes five on x86-64, although three steps would do: products of pairs, which saturate to 16 bits,
  // sums of pairs, addition.
  paired,
  // One, with a second operand of unsigned bytes (AVX-VNNI).
  fused_unsigned,
  // One, with a second operand of signed bytes (SDOT of ARM).
  fused_signed,
};

DotForm dot_form();

}  // namespace quintet::relaxed
