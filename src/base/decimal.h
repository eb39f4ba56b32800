#pragma once
// Decimal text to the nearest double. The C library's strtod computes with 128-bit floats, which WebAssembly does in
// software: 6 KB of what every page downloads. This one is exact with big integers, small, and fast enough for a
// header.

#include <string_view>

namespace quintet {

// The double nearest to a number as JSON writes it, ties to even; infinity beyond the largest. Requires that the text
// is such a number.
double parse_decimal(std::string_view text);

}  // namespace quintet
