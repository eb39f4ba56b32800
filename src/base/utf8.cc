#include "base/utf8.h"

#include <cstring>

namespace quintet {
namespace {

// Valid bytes after a lead byte: their number, and the range of the first of them. The narrowed ranges exclude overlong
// forms (E0, F0), surrogates (ED) and values beyond U+10FFFF (F4).
struct Sequence {
  uint8_t continuations;
  uint8_t second_min;
  uint8_t second_max;
  uint8_t lead_mask;
};

constexpr Sequence kInvalidLead = {0, 0, 0, 0};

constexpr Sequence sequence_of(uint8_t lead) {
  if (lead < 0xC2) return kInvalidLead;
  if (lead < 0xE0) return {1, 0x80, 0xBF, 0x1F};
  if (lead < 0xF0) {
    return {2, static_cast<uint8_t>(lead == 0xE0 ? 0xA0 : 0x80), static_cast<uint8_t>(lead == 0xED ? 0x9F : 0xBF),
            0x0F};
  }
  if (lead < 0xF5) {
    return {3, static_cast<uint8_t>(lead == 0xF0 ? 0x90 : 0x80), static_cast<uint8_t>(lead == 0xF4 ? 0x8F : 0xBF),
            0x07};
  }
  return kInvalidLead;
}

// The first byte at or after `at` that is not ASCII, or a position a little before it.
size_t skip_ascii_words(std::string_view text, size_t at) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  uint64_t word;
  while (text.size() - at >= sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if (word & kHighBits) break;
    at += sizeof(word);
  }
  return at;
}

}  // namespace

DecodedCodePoint decode_utf8(std::string_view text, size_t at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  if (lead < 0x80) return {lead, 1, true};

  const Sequence sequence = sequence_of(lead);
  if (sequence.continuations == 0) return {kReplacementCharacter, 1, false};

  char32_t code_point = lead & sequence.lead_mask;
  uint8_t min = sequence.second_min;
  uint8_t max = sequence.second_max;
  for (uint8_t i = 1; i <= sequence.continuations; ++i) {
    if (at + i == text.size()) return {kReplacementCharacter, i, false};
    const auto byte = static_cast<uint8_t>(text[at + i]);
    if (byte < min || byte > max) return {kReplacementCharacter, i, false};
    code_point = (code_point << 6) | (byte & 0x3F);
    min = 0x80;
    max = 0xBF;
  }
  return {code_point, static_cast<uint8_t>(sequence.continuations + 1), true};
}

std::optional<size_t> find_invalid_utf8(std::string_view text) {
  size_t at = 0;
  while (true) {
    at = skip_ascii_words(text, at);
    if (at == text.size()) return std::nullopt;
    const DecodedCodePoint decoded = decode_utf8(text, at);
    if (!decoded.valid) return at;
    at += decoded.bytes;
  }
}

size_t encode_utf8(char32_t code_point, char* out) {
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (surrogate || code_point > kLastCodePoint) code_point = kReplacementCharacter;

  const auto continuation = [code_point](int shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    out[0] = static_cast<char>(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = static_cast<char>(0xC0 | (code_point >> 6));
    out[1] = continuation(0);
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = static_cast<char>(0xE0 | (code_point >> 12));
    out[1] = continuation(6);
    out[2] = continuation(0);
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | (code_point >> 18));
  out[1] = continuation(12);
  out[2] = continuation(6);
  out[3] = continuation(0);
  return 4;
}

size_t count_characters(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).bytes) ++count;
  return count;
}

std::string_view first_characters(std::string_view text, size_t count) {
  size_t at = 0;
  for (; count != 0 && at < text.size(); --count) at += decode_utf8(text, at).bytes;
  return text.substr(0, at);
}

void append_utf8(char32_t code_point, std::string& out) {
  char bytes[kMaxUtf8Bytes];
  out.append(bytes, encode_utf8(code_point, bytes));
}

}  // namespace quintet
