#pragma once
// Numbers within bounds, as digits.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quintet::grammar {

// A number of at least 0: digits before the point, without leading zeros, and after it, without trailing ones.
struct Decimal {
  std::string whole = "0";
  std::string fraction;

  bool is_zero() const { return whole == "0" && fraction.empty(); }
};
// Without its sign. UNSUPPORTED for more than 30 digits before the point, or kMaxDigits after it.
Result<Decimal> decimal_of(double value);

struct NumberBound {
  double value = 0;
  bool exclusive = false;  // the value itself is outside
};

// A pattern for all integers, or numbers without exponent, within the bounds; empty if there are none.
// UNSUPPORTED for bounds that need more digits than kMaxDigits.
constexpr int kMaxDigits = 16;  // before and after the point, for numbers without bounds
Result<std::string> number_pattern(std::optional<NumberBound> min, std::optional<NumberBound> max, bool integers);

}  // namespace quintet::grammar
