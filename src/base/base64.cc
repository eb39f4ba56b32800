#include "base/base64.h"

#include <cstddef>
#include <cstdint>

namespace quintet {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  unsigned held = 0;  // number of bits that are not a byte yet
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xFF);
  }
  // The remaining bits of the last digit must be zeros; one digit alone is less than a byte.
  const bool is_whole = held < 6 && (bits & ((1U << held) - 1)) == 0;
  return is_whole ? std::optional(bytes) : std::nullopt;
}

}  // namespace quintet
