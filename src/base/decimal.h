#pragma once
// Converts decimal text to the nearest double. strtod of the C library computes with 128-bit floats, which WebAssembly
// emulates in software: 6 KB in every page's download. This version is exact with big integers, small, and fast enough
// for headers.

#include <string_view>

namespace quintet {

// The double nearest to a JSON number, ties to even; infinity beyond the largest double. Requires a valid JSON number.
double parse_decimal(std::string_view text);

}  // namespace quintet
