#pragma once
// Decimal text to the nearest double and back. strtod of the C library computes with 128-bit floats, which WebAssembly
// emulates in software: 6 KB in every page's download; fast printing needs tables of powers. These functions are exact
// with big integers, small, and fast enough for headers.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quintet {

// The double nearest to a JSON number, ties to even; infinity beyond the largest double. Requires a valid JSON number.
double parse_decimal(std::string_view text);

// The shortest JSON number that parse_decimal() reads as this value, which is finite; with a point or an exponent.
std::string write_decimal(double value);

// The digits of a number. Those of the standard library bring a table and unrolled loops.
std::string write_natural(uint64_t number);
std::string write_integer(int64_t number);

// The digits at the start of a text, as a number; nothing if there are none, or if it does not fit 64 bits.
struct LeadingNumber {
  uint64_t value = 0;
  size_t digits = 0;
};
std::optional<LeadingNumber> leading_number(std::string_view text);

// For a text that has nothing but digits.
std::optional<uint64_t> parse_natural(std::string_view text);

}  // namespace quintet
