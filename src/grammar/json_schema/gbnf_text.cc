#include "grammar/json_schema/gbnf_text.h"

#include <array>
#include <utility>

#include "base/decimal.h"
#include "base/utf8.h"

namespace quintet::grammar {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr char32_t kFirstPrintable = 0x20;

struct ShortEscape {
  char32_t character;
  char letter;
};
constexpr std::array<ShortEscape, 7> kShortEscapes = {
    {{'"', '"'}, {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}}};

// All characters that must be escaped.
constexpr std::string_view kAllEscaped = R"gbnf("\\" (["\\bfnrt] | "u00" [01] [0-9a-fA-F]))gbnf";

bool has_all_escaped(const CharacterSet& set) {
  const bool control = !set.empty() && set[0].first == 0 && set[0].last >= kFirstPrintable - 1;
  return control && contains(set, '"') && contains(set, '\\');
}

// The characters that JSON strings may have unescaped.
CharacterSet unescaped(const CharacterSet& set) {
  CharacterSet kept;
  const auto keep = [&](CodeRange range, char32_t first, char32_t last) {
    const CodeRange part = {std::max(range.first, first), std::min(range.last, last)};
    if (part.first <= part.last) kept.push_back(part);
  };
  for (const CodeRange range : set) {
    keep(range, kFirstPrintable, '"' - 1);
    keep(range, '"' + 1, '\\' - 1);
    keep(range, '\\' + 1, kLastCodePoint);
  }
  return kept;
}

std::string escape_of(char32_t character) {
  for (const ShortEscape& each : kShortEscapes) {
    if (each.character == character) return formatted("\\{}", each.letter);
  }
  return formatted("\\u00{}{}", kHex[character >> 4], kHex[character & 15]);
}

// A character of a class of GBNF.
std::string in_class(char32_t character) {
  if (character > kFirstPrintable && character < 0x7F) {
    const bool special = character == '\\' || character == ']' || character == '[' || character == '-';
    const std::string text(1, static_cast<char>(character));
    return special ? "\\" + text : character == '^' ? "\\x5e" : text;
  }
  std::string text = "\\U";
  for (int shift = 28; shift >= 0; shift -= 4) text += kHex[character >> shift & 15];
  return text;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\') literal += '\\';
    if (byte < kFirstPrintable) {
      literal += formatted("\\x{}{}", kHex[byte >> 4], kHex[byte & 15]);
    } else {
      literal += c;
    }
  }
  return literal + '"';
}

std::string json_character(const CharacterSet& set) {
  std::string classes;
  for (const CodeRange range : unescaped(set)) {
    classes += in_class(range.first);
    if (range.last > range.first) classes += "-" + in_class(range.last);
  }
  std::string alternatives = classes.empty() ? "" : formatted("[{}]", classes);
  int count = classes.empty() ? 0 : 1;
  if (has_all_escaped(set)) return formatted("({}{}{})", alternatives, count > 0 ? " | " : "", kAllEscaped);
  for (char32_t character = 0; character <= '\\'; ++character) {
    const bool escaped = character < kFirstPrintable || character == '"' || character == '\\';
    if (!escaped || !contains(set, character)) continue;
    if (count++ > 0) alternatives += " | ";
    alternatives += quoted(escape_of(character));
  }
  return count > 1 ? formatted("({})", alternatives) : alternatives;
}

std::string json_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < kFirstPrintable || c == '"' || c == '\\') {
      escaped += escape_of(byte);
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string repetition(uint32_t min, uint32_t max) {
  if (max == kUnbounded && min <= 1) return min == 0 ? "*" : "+";
  if (min == 0 && max == 1) return "?";
  if (min == max) return formatted("{{}}", min);
  return formatted("{{},{}}", min, max == kUnbounded ? "" : write_natural(max));
}

}  // namespace quintet::grammar
