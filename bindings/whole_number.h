#pragma once
// Sizes as JavaScript has them: numbers, which may be anything.

#include <cstdint>
#include <optional>

namespace quintet::js {

// Nothing for what is negative, no whole number, or beyond what a number counts exactly.
inline std::optional<uint64_t> whole_number(double number) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!(number >= 0 && number < kExact)) return std::nullopt;
  const auto whole = static_cast<uint64_t>(number);
  if (static_cast<double>(whole) != number) return std::nullopt;
  return whole;
}

}  // namespace quintet::js
