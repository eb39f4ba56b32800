#include "tokenizers/bpe/byte_alphabet.h"

#include "base/utf8.h"

namespace quintet {
namespace {

// Bytes that are not printable Latin-1 characters are written as the characters from U+0100 on, in order: 00 to 20, 7F
// to A0, and AD.
constexpr char32_t kFirstSubstitute = 0x100;
constexpr uint8_t kLastControl = 0x20, kDelete = 0x7F, kLastSpace = 0xA0, kSoftHyphen = 0xAD;
constexpr uint8_t kControls = kLastControl + 1;
constexpr uint8_t kSubstitutes = kControls + (kLastSpace - kDelete + 1) + 1;

constexpr bool is_printable(uint8_t byte) {
  return (byte > kLastControl && byte < kDelete) || (byte > kLastSpace && byte != kSoftHyphen);
}

}  // namespace

char32_t letter_of(uint8_t byte) {
  if (is_printable(byte)) return byte;
  if (byte <= kLastControl) return kFirstSubstitute + byte;
  if (byte <= kLastSpace) return kFirstSubstitute + kControls + (byte - kDelete);
  return kFirstSubstitute + kSubstitutes - 1;
}

std::optional<uint8_t> byte_of(char32_t letter) {
  if (letter < kFirstSubstitute) {
    const auto byte = static_cast<uint8_t>(letter);
    return is_printable(byte) ? std::optional(byte) : std::nullopt;
  }
  const char32_t substitute = letter - kFirstSubstitute;
  if (substitute >= kSubstitutes) return std::nullopt;
  if (substitute < kControls) return static_cast<uint8_t>(substitute);
  if (substitute < kSubstitutes - 1) return static_cast<uint8_t>(substitute - kControls + kDelete);
  return kSoftHyphen;
}

bool append_bytes_of(std::string_view text, std::string& bytes) {
  const size_t before = bytes.size();
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, at);
    const std::optional<uint8_t> byte = decoded.valid ? byte_of(decoded.code_point) : std::nullopt;
    if (!byte) {
      bytes.resize(before);
      return false;
    }
    bytes.push_back(static_cast<char>(*byte));
    at += decoded.bytes;
  }
  return true;
}

}  // namespace quintet
