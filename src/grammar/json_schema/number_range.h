#pragma once
// Numbers within bounds, as digits.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quintet::grammar {

struct NumberBound {
  double value = 0;
  bool exclusive = false;  // the value itself is outside
};

// An expression of GBNF for all integers, or numbers without exponent, within the bounds; empty if there are none.
// UNSUPPORTED for bounds that need more digits than kMaxDigits.
constexpr int kMaxDigits = 16;  // before and after the point, for numbers without bounds
Result<std::string> number_gbnf(std::optional<NumberBound> least, std::optional<NumberBound> most, bool integers);

}  // namespace quintet::grammar
