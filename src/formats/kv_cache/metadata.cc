#include "formats/kv_cache/metadata.h"

#include <charconv>

namespace quintet::kv {

std::optional<uint64_t> natural(const std::string& text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

std::optional<std::vector<uint32_t>> naturals(const std::string& text) {
  std::vector<uint32_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int32_t number = -1;
    const auto [rest, error] = std::from_chars(at, end, number);
    const bool ends_well = rest == end || (*rest == ',' && rest + 1 != end);
    if (error != std::errc() || *at == '-' || !ends_well) return std::nullopt;
    numbers.push_back(static_cast<uint32_t>(number));
    at = rest == end ? end : rest + 1;
  }
  return numbers;
}

std::string text_of(const std::vector<uint32_t>& numbers) {
  std::string text;
  for (const uint32_t number : numbers) text += formatted("{}{}", text.empty() ? "" : ",", number);
  return text;
}

}  // namespace quintet::kv
