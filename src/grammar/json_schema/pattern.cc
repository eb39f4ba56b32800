#include "grammar/json_schema/pattern.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "grammar/json_schema/unicode_sets.h"

namespace quintet::grammar {
namespace {

uint32_t sum(uint32_t a, uint32_t b) {
  return a == kUnbounded || b == kUnbounded || a > kUnbounded - b ? kUnbounded : a + b;
}
uint32_t product(uint32_t a, uint32_t b) {
  if (a == 0 || b == 0) return 0;
  if (a == kUnbounded || b == kUnbounded) return kUnbounded;
  return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{a} * b, kUnbounded));
}

const CharacterSet kDigits = {{'0', '9'}};
const CharacterSet kWords = normalized({{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}});
const CharacterSet kSpaces = normalized({{'\t', '\r'},
                                         {' ', ' '},
                                         {0xA0, 0xA0},
                                         {0x1680, 0x1680},
                                         {0x2000, 0x200A},
                                         {0x2028, 0x2029},
                                         {0x202F, 0x202F},
                                         {0x205F, 0x205F},
                                         {0x3000, 0x3000},
                                         {0xFEFF, 0xFEFF}});
const CharacterSet kLineEnds = normalized({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}});

class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : text_(text) {}

  Result<Pattern> parse();

 private:
  Result<Pattern> parse_choice(int depth);
  Result<Pattern> parse_sequence(int depth);
  Result<Pattern> parse_item(int depth);
  Result<Pattern> parse_group(int depth);
  Result<CharacterSet> parse_class();
  Result<CharacterSet> parse_class_item();
  Result<CharacterSet> parse_escape(bool in_class);
  Result<CharacterSet> parse_property(bool negated);
  Result<char32_t> parse_hex(size_t digits);
  Status repeat(Pattern& part);
  Result<bool> parse_bounds(uint32_t& min, uint32_t& max);

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(std::string_view word) {
    const bool there = text_.substr(at_).starts_with(word);
    at_ += there ? word.size() : 0;
    return there;
  }
  Failure invalid(std::string_view what) const {
    return input_error(Reason::malformed, "the pattern {}: {} at byte {}", text_, what, at_);
  }
  Failure cannot(std::string_view what) const {
    return unsupported_error("the pattern {}: {} at byte {}", text_, what, at_);
  }

  std::string_view text_;
  size_t at_ = 0;
};

Result<Pattern> PatternParser::parse() {
  QUINTET_TRY(Pattern all, parse_choice(0));
  if (!at_end()) return invalid("a ) without (");
  return all;
}

Result<Pattern> PatternParser::parse_choice(int depth) {
  QUINTET_TRY(Pattern first, parse_sequence(depth));
  if (peek() != '|') return first;
  Pattern all = {.kind = Pattern::Kind::choice, .shortest = kUnbounded};
  all.parts.push_back(std::move(first));
  while (take("|")) {
    QUINTET_TRY(Pattern next, parse_sequence(depth));
    all.parts.push_back(std::move(next));
  }
  for (const Pattern& each : all.parts) {
    all.shortest = std::min(all.shortest, each.shortest);
    all.longest = std::max(all.longest, each.longest);
    all.asserts = all.asserts || each.asserts;
  }
  return all;
}

Result<Pattern> PatternParser::parse_sequence(int depth) {
  std::vector<Pattern> parts;
  while (!at_end() && peek() != '|' && peek() != ')') {
    QUINTET_TRY(Pattern item, parse_item(depth));
    QUINTET_CHECK(repeat(item));
    parts.push_back(std::move(item));
  }
  return sequence_of(std::move(parts));
}

Result<Pattern> PatternParser::parse_item(int depth) {
  if (take("^")) return place_of(Pattern::Kind::begin);
  if (take("$")) return place_of(Pattern::Kind::end);
  if (take("(")) return parse_group(depth);
  if (take("[")) {
    QUINTET_TRY(CharacterSet set, parse_class());
    return characters_of(std::move(set));
  }
  if (take(".")) return characters_of(complement(kLineEnds));
  if (take("\\")) {
    QUINTET_TRY(CharacterSet set, parse_escape(false));
    return characters_of(std::move(set));
  }
  const char c = peek();
  if (c == '*' || c == '+' || c == '?') return invalid("nothing to repeat");
  const DecodedCodePoint decoded = decode_utf8(text_, at_);
  at_ += decoded.bytes;
  return characters_of({{decoded.code_point, decoded.code_point}});
}

Result<Pattern> PatternParser::parse_group(int depth) {
  constexpr int kMaxGroups = 40;
  if (depth == kMaxGroups) return cannot("groups nest too deeply");
  const bool ahead = take("?=");
  const bool negated = !ahead && take("?!");
  std::string_view name;
  if (!ahead && !negated && take("?<")) {
    if (peek() == '=' || peek() == '!') return cannot("a look behind");
    const size_t end = text_.find('>', at_);
    if (end == std::string_view::npos) return invalid("a group without the end of its name");
    name = text_.substr(at_, end - at_);
    at_ = end + 1;
  } else if (!ahead && !negated && !take("?:") && peek() == '?') {
    return cannot("a group with flags");
  }
  QUINTET_TRY(Pattern inner, parse_choice(depth + 1));
  if (!take(")")) return invalid("a ( without )");
  if (!ahead && !negated) {
    inner.name = name;
    return inner;
  }
  Pattern look = place_of(Pattern::Kind::look);
  look.negated = negated;
  look.parts.push_back(std::move(inner));
  return look;
}

Status PatternParser::repeat(Pattern& part) {
  uint32_t min = 1;
  uint32_t max = 1;
  if (take("*")) {
    min = 0;
    max = kUnbounded;
  } else if (take("+")) {
    max = kUnbounded;
  } else if (take("?")) {
    min = 0;
  } else {
    QUINTET_TRY(const bool bounded, parse_bounds(min, max));
    if (!bounded) return {};
  }
  take("?");  // as few as possible: the same texts
  if (peek() == '*' || peek() == '+') return invalid("a repetition of a repetition");
  if (max < min) return invalid("a repetition whose bounds do not ascend");
  part = repeated(std::move(part), min, max);
  return {};
}

// {n}, {n,} or {n,m}
Result<bool> PatternParser::parse_bounds(uint32_t& min, uint32_t& max) {
  if (peek() != '{') return false;
  const auto count = [this]() -> std::optional<uint32_t> {
    uint64_t value = 0;
    const size_t begin = at_;
    for (; peek() >= '0' && peek() <= '9' && value < 100000000; ++at_)
      value = value * 10 + static_cast<uint64_t>(peek() - '0');
    return at_ == begin ? std::nullopt : std::optional(static_cast<uint32_t>(value));
  };
  ++at_;
  const auto first = count();
  if (!first) return invalid("a { that begins no repetition");
  min = max = *first;
  if (take(",")) max = count().value_or(kUnbounded);
  if (!take("}")) return invalid("a repetition without }");
  return true;
}

Result<CharacterSet> PatternParser::parse_class() {
  const bool negated = take("^");
  std::vector<CodeRange> ranges;
  while (!take("]")) {
    if (at_end()) return invalid("a [ without ]");
    QUINTET_TRY(CharacterSet first, parse_class_item());
    const bool one = first.size() == 1 && first[0].first == first[0].last;
    const bool range = one && peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
    if (range) {
      ++at_;
      QUINTET_TRY(const CharacterSet last, parse_class_item());
      const bool ascends = last.size() == 1 && last[0].first == last[0].last && last[0].first >= first[0].first;
      if (!ascends) return invalid("a range that does not ascend");
      first[0].last = last[0].last;
    }
    ranges.insert(ranges.end(), first.begin(), first.end());
  }
  const CharacterSet set = normalized(std::move(ranges));
  return negated ? complement(set) : set;
}

Result<CharacterSet> PatternParser::parse_class_item() {
  if (take("\\")) return parse_escape(true);
  const DecodedCodePoint decoded = decode_utf8(text_, at_);
  at_ += decoded.bytes;
  return CharacterSet{{decoded.code_point, decoded.code_point}};
}

Result<CharacterSet> PatternParser::parse_escape(bool in_class) {
  if (at_end()) return invalid("a \\ at the end");
  const char c = text_[at_++];
  const auto one = [](char32_t character) { return CharacterSet{{character, character}}; };
  switch (c) {
    case 'd':
      return kDigits;
    case 'D':
      return complement(kDigits);
    case 'w':
      return kWords;
    case 'W':
      return complement(kWords);
    case 's':
      return kSpaces;
    case 'S':
      return complement(kSpaces);
    case 't':
      return one('\t');
    case 'n':
      return one('\n');
    case 'r':
      return one('\r');
    case 'f':
      return one('\f');
    case 'v':
      return one('\v');
    case '0':
      return one(0);
    case 'x':
    case 'u': {
      QUINTET_TRY(char32_t character, parse_hex(c == 'x' ? 2 : 4));
      const bool high = character >= 0xD800 && character < 0xDC00;
      if (high && take("\\u")) {
        QUINTET_TRY(const char32_t low, parse_hex(4));
        character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
      }
      return one(character);
    }
    case 'b':
      if (in_class) return one('\b');
      [[fallthrough]];
    case 'B':
      return cannot("a boundary of words");
    case 'p':
    case 'P':
      return parse_property(c == 'P');
    case 'k':
      return cannot("a backreference");
    default:
      break;
  }
  if (c >= '1' && c <= '9') return cannot("a backreference");
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (letter) return invalid("an unknown escape");
  --at_;
  const DecodedCodePoint decoded = decode_utf8(text_, at_);
  at_ += decoded.bytes;
  return one(decoded.code_point);
}

// \p{name}, for the names that are known.
Result<CharacterSet> PatternParser::parse_property(bool negated) {
  const size_t end = text_.find('}', at_);
  if (!take("{") || end == std::string_view::npos) return invalid("a property without { and }");
  const std::string_view name = text_.substr(at_, end - at_);
  const auto set = unicode_set(name);
  if (!set) return cannot(formatted("the property {} of Unicode", name));
  at_ = end + 1;
  return negated ? complement(*set) : *set;
}

Result<char32_t> PatternParser::parse_hex(size_t digits) {
  const bool braced = digits == 4 && take("{");
  if (braced) {
    digits = text_.find('}', at_) - at_;
    if (digits > 6) return invalid("a wrong escape");
  }
  char32_t value = 0;
  for (size_t i = 0; i < digits; ++i, ++at_) {
    const char c = peek();
    const char lower = static_cast<char>(c | 0x20);
    const bool digit = c >= '0' && c <= '9';
    if (!digit && !(lower >= 'a' && lower <= 'f')) return invalid("a wrong escape");
    value = value * 16 + static_cast<char32_t>(digit ? c - '0' : lower - 'a' + 10);
  }
  if (braced) ++at_;
  return value;
}

}  // namespace

Result<Pattern> parse_pattern(std::string_view text) { return PatternParser(text).parse(); }

Pattern characters_of(CharacterSet set) {
  return {.kind = Pattern::Kind::characters, .shortest = 1, .longest = 1, .set = std::move(set)};
}

Pattern sequence_of(std::vector<Pattern> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  Pattern all;
  for (const Pattern& each : parts) {
    all.shortest = sum(all.shortest, each.shortest);
    all.longest = sum(all.longest, each.longest);
    all.asserts = all.asserts || each.asserts;
  }
  all.parts = std::move(parts);
  return all;
}

Pattern repeated(Pattern part, uint32_t min, uint32_t max) {
  Pattern all = {.kind = Pattern::Kind::repeat, .asserts = part.asserts, .min = min, .max = max};
  all.shortest = product(part.shortest, min);
  all.longest = product(part.longest, max);
  all.parts.push_back(std::move(part));
  return all;
}

Pattern place_of(Pattern::Kind kind) { return {.kind = kind, .asserts = true}; }

Pattern whole_text(std::string_view text) {
  std::vector<Pattern> parts = {place_of(Pattern::Kind::begin)};
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, at);
    parts.push_back(characters_of({{decoded.code_point, decoded.code_point}}));
    at += decoded.bytes;
  }
  parts.push_back(place_of(Pattern::Kind::end));
  return sequence_of(std::move(parts));
}

Pattern whole_length(uint32_t min, uint32_t max) {
  return sequence_of({place_of(Pattern::Kind::begin), repeated(characters_of(complement({})), min, max),
                      place_of(Pattern::Kind::end)});
}

}  // namespace quintet::grammar
