#include "grammar/json_schema/other_keys.h"

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "grammar/json_schema/gbnf_text.h"
#include "grammar/syntax.h"

namespace quintet::grammar {
namespace {

// The names as a tree of their characters.
struct KeyNode {
  std::map<char32_t, KeyNode> next;
  bool ends = false;
};

// Four hexadecimal digits, other than those of the given numbers.
std::string other_hex(const std::vector<uint32_t>& numbers, int digit = 3) {
  std::map<uint32_t, std::vector<uint32_t>> by_digit;
  for (const uint32_t number : numbers) by_digit[number >> (4 * digit) & 15].push_back(number);
  constexpr std::string_view upper = "0123456789ABCDEF";
  constexpr std::string_view lower = "0123456789abcdef";
  std::string free;
  std::string text;
  for (uint32_t value = 0; value < 16; ++value) {
    const std::string both = value < 10 ? std::string(1, lower[value]) : std::string{lower[value], upper[value]};
    const auto taken = by_digit.find(value);
    if (taken == by_digit.end()) {
      free += both;
    } else if (digit > 0) {
      text += (text.empty() ? "" : " | ") + formatted("[{}] {}", both, other_hex(taken->second, digit - 1));
    }
  }
  if (!free.empty()) {
    text += (text.empty() ? "" : " | ") + formatted("[{}]", free);
    if (digit > 0) text += formatted(" [0-9a-fA-F]{{}}", digit);
  }
  return formatted("({})", text);
}

// The rest of a string that begins like some of the names without being one of them, with the quotation mark at its
// end.
std::string other_rest(const KeyNode& node, int depth) {
  // Longer names are distinguished from others by their beginnings.
  constexpr int kMaxDepth = 60;
  std::vector<CodeRange> known;
  std::vector<uint32_t> escaped;
  std::string text;
  for (const auto& [character, next] : node.next) {
    known.push_back({character, character});
    escaped.push_back(character > 0xFFFF ? 0xD800 + ((character - 0x10000) >> 10) : character);
    if (depth == kMaxDepth) continue;
    const std::string one = quoted(json_escaped(character < 0x80 ? std::string(1, static_cast<char>(character)) : [&] {
      std::string utf8;
      append_utf8(character, utf8);
      return utf8;
    }()));
    text += formatted("{} {} | ", one, other_rest(next, depth + 1));
  }
  text += json_character(complement(normalized(std::move(known)))) + " string-end";
  text += formatted(" | \"\\\\u\" {} string-end", other_hex(escaped));
  if (!node.ends) text += " | \"\\\"\"";
  return formatted("({})", text);
}

}  // namespace

std::string other_keys(std::span<const std::string> names) {
  if (names.empty()) return "string";
  KeyNode root;
  for (const std::string& name : names) {
    KeyNode* node = &root;
    for (size_t at = 0; at < name.size();) {
      const DecodedCodePoint decoded = decode_utf8(name, at);
      node = &node->next[decoded.code_point];
      at += decoded.bytes;
    }
    node->ends = true;
  }
  return "\"\\\"\" " + other_rest(root, 0);
}

}  // namespace quintet::grammar
