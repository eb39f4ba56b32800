#include "formats/kv_cache/metadata.h"

#include "base/decimal.h"

namespace quintet::kv {

std::optional<std::vector<uint32_t>> naturals(const std::string& text) {
  std::vector<uint32_t> numbers;
  if (text.empty()) return numbers;
  for (std::string_view rest = text;; rest.remove_prefix(1)) {
    const auto number = leading_number(rest);
    if (!number || number->value > INT32_MAX) return std::nullopt;
    numbers.push_back(static_cast<uint32_t>(number->value));
    rest.remove_prefix(number->digits);
    if (rest.empty()) return numbers;
    if (rest.front() != ',') return std::nullopt;
  }
}

std::string text_of(const std::vector<uint32_t>& numbers) {
  std::string text;
  for (const uint32_t number : numbers) text += formatted("{}{}", text.empty() ? "" : ",", number);
  return text;
}

}  // namespace quintet::kv
