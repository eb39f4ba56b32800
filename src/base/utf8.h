#pragma once
// UTF-8 as Unicode defines it (table 3-7 of the standard): no surrogates, no overlong forms,
// nothing beyond U+10FFFF.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quintet {

constexpr char32_t kReplacementCharacter = 0xFFFD;
constexpr std::string_view kReplacementUtf8 = "\uFFFD";  // the same as text
constexpr char32_t kLastCodePoint = 0x10FFFF;
constexpr size_t kMaxUtf8Bytes = 4;  // of one code point

// Whether a byte continues a character. In valid text, every other byte starts one.
constexpr bool is_utf8_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

struct DecodedCodePoint {
  char32_t code_point = kReplacementCharacter;
  uint8_t bytes = 0;   // consumed, 1 to 4
  bool valid = false;  // false: an ill-formed sequence, decoded as U+FFFD
};

// Decodes the character at `text[at]`; requires at < text.size(). An ill-formed sequence is consumed up to the byte
// that cannot belong to it and becomes one U+FFFD, as in the decoder of the WHATWG Encoding Standard. So text has the
// same characters here as in a browser.
DecodedCodePoint decode_utf8(std::string_view text, size_t at);

// Requires valid text, and is quicker because it checks nothing.
inline DecodedCodePoint decode_valid_utf8(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const char32_t second = byte(1) & 0x3F;
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | second, 2, true};
  const char32_t third = second << 6 | (byte(2) & 0x3F);
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | third, 3, true};
  return {(lead & 0x07) << 18 | third << 6 | (byte(3) & 0x3F), 4, true};
}

// The position of the first ill-formed sequence; nothing if the text is valid.
std::optional<size_t> find_invalid_utf8(std::string_view text);

// The number of characters of a text, where an ill-formed sequence is one; and its first `count` characters.
size_t count_characters(std::string_view text);
std::string_view first_characters(std::string_view text, size_t count);

// Appends a code point. Surrogates and values beyond U+10FFFF, which UTF-8 cannot express, become
// U+FFFD.
void append_utf8(char32_t code_point, std::string& out);

// Writes a code point to `out`, which has room for kMaxUtf8Bytes, and returns the number of bytes.
size_t encode_utf8(char32_t code_point, char* out);

}  // namespace quintet
