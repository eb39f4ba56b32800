#pragma once
// Decimal text to the nearest double and back. strtod of the C library computes with 128-bit floats, which WebAssembly
// emulates in software: 6 KB in every page's download; fast printing needs tables of powers. These functions are exact
// with big integers, small, and fast enough for headers.

#include <string>
#include <string_view>

namespace quintet {

// The double nearest to a JSON number, ties to even; infinity beyond the largest double. Requires a valid JSON number.
double parse_decimal(std::string_view text);

// The shortest JSON number that parse_decimal() reads as this value, which is finite; with a point or an exponent.
std::string write_decimal(double value);

}  // namespace quintet
