#pragma once
// Decimal text to double, correctly rounded. The libraries at hand will not do: strtod and from_chars are large in wasm,
// and RapidJSON's reader errs near the ends of the range.

#include <optional>
#include <string_view>

namespace quintet {

// The double nearest to a JSON number, ties to even; values too small become 0. Nothing where the value is beyond the
// largest double. Requires text that is a number by JSON's grammar.
std::optional<double> double_of_decimal(std::string_view number);

}  // namespace quintet
