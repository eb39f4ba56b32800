#include "grammar/json_schema/pattern.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "grammar/json_schema/gbnf_text.h"

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

// What a part of a pattern matches, and how long that is.
struct Part {
  std::string gbnf;
  uint32_t shortest = 0;
  uint32_t longest = 0;
  // One character of `set`, repeated, where that is all: bounds of a length then only change the repetition.
  bool repeats = false;
  std::string one = {};
  bool none = false;  // matches nothing at all
};

const std::string kQuote = "\"\\\"\"";

class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : text_(text) {}

  Result<std::string> parse(uint32_t least, uint32_t most);

 private:
  Result<Part> parse_top();
  Result<Part> parse_choice(int depth);
  Result<Part> parse_sequence(int depth);
  Result<Part> parse_item(int depth);
  Result<Part> parse_group(int depth);
  Result<CharacterSet> parse_class();
  Result<CharacterSet> parse_class_item();
  Result<CharacterSet> parse_escape(bool in_class);
  Result<char32_t> parse_hex(size_t digits);
  Status repeat(Part& part);
  Result<bool> parse_bounds(uint32_t& least, uint32_t& most);

  static Part part_of(const CharacterSet& set);
  static void append(Part& all, const Part& next);
  static void add_choice(Part& all, const Part& next);
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(std::string_view word) {
    const bool there = text_.substr(at_).starts_with(word);
    at_ += there ? word.size() : 0;
    return there;
  }
  Failure invalid(std::string_view what) const {
    return input_error(Reason::malformed, "the pattern " + std::string(text_) + ": " + std::string(what) + " at byte " +
                                              std::to_string(at_));
  }
  Failure cannot(std::string_view what) const {
    return unsupported_error("the pattern " + std::string(text_) + ": " + std::string(what) + " at byte " +
                             std::to_string(at_));
  }

  std::string_view text_;
  size_t at_ = 0;
};

Part PatternParser::part_of(const CharacterSet& set) {
  std::string gbnf = json_character(set);
  if (gbnf.empty()) return {.gbnf = "", .none = true};
  return {.gbnf = gbnf, .shortest = 1, .longest = 1, .repeats = true, .one = gbnf};
}

void PatternParser::append(Part& all, const Part& next) {
  const bool first = all.gbnf.empty() && all.longest == 0 && !all.none;
  if (first) {
    all = next;
    return;
  }
  all.gbnf += " " + next.gbnf;
  all.shortest = sum(all.shortest, next.shortest);
  all.longest = sum(all.longest, next.longest);
  all.repeats = false;
  all.none = all.none || next.none;
}

void PatternParser::add_choice(Part& all, const Part& next) {
  if (next.none) return;
  if (all.none) {
    all = next;
    return;
  }
  all.gbnf += " | " + next.gbnf;
  all.shortest = std::min(all.shortest, next.shortest);
  all.longest = std::max(all.longest, next.longest);
  all.repeats = false;
}

Result<std::string> PatternParser::parse(uint32_t least, uint32_t most) {
  QUINTET_TRY(Part all, parse_top());
  if (all.none) return input_error(Reason::malformed, "the pattern " + std::string(text_) + " matches no string");
  if (all.shortest >= least && all.longest <= most) return kQuote + " (" + all.gbnf + ")";
  if (all.repeats) {
    const uint32_t shortest = std::max(all.shortest, least);
    const uint32_t longest = std::min(all.longest, most);
    if (shortest <= longest) return kQuote + " " + all.one + repetition(shortest, longest) + " " + kQuote;
  }
  return unsupported_error("the pattern " + std::string(text_) + " beside minLength or maxLength");
}

// Alternatives, of which each may begin with ^ and end with $. Without these, any text may be before or after it. Each
// ends with the quotation mark.
Result<Part> PatternParser::parse_top() {
  Part all = {.gbnf = "", .none = true};
  do {
    Part alternative;
    if (!take("^")) append(alternative, {.gbnf = "char*", .longest = kUnbounded});
    QUINTET_TRY(const Part inner, parse_sequence(0));
    append(alternative, inner);
    const bool open = !take("$");
    if (!at_end() && peek() != '|') return peek() == ')' ? invalid("a ) without (") : cannot("an anchor inside of it");
    alternative.gbnf += alternative.gbnf.empty() ? "" : " ";
    alternative.gbnf += open ? "string-end" : kQuote;
    if (open) alternative.longest = kUnbounded;
    alternative.repeats = alternative.repeats && !open;
    add_choice(all, alternative);
  } while (take("|"));
  return all;
}

Result<Part> PatternParser::parse_choice(int depth) {
  Part all = {.gbnf = "", .none = true};
  do {
    QUINTET_TRY(Part next, parse_sequence(depth));
    if (next.gbnf.empty()) next.gbnf = "\"\"";
    add_choice(all, next);
  } while (take("|"));
  return all;
}

Result<Part> PatternParser::parse_sequence(int depth) {
  Part all;
  while (!at_end()) {
    const char c = peek();
    if (c == '|' || c == ')' || c == '$' || c == '^') break;
    QUINTET_TRY(Part item, parse_item(depth));
    QUINTET_CHECK(repeat(item));
    append(all, item);
  }
  return all;
}

Result<Part> PatternParser::parse_item(int depth) {
  if (take("(")) return parse_group(depth);
  if (take("[")) {
    QUINTET_TRY(const CharacterSet set, parse_class());
    return part_of(set);
  }
  if (take(".")) return part_of(complement(kLineEnds));
  if (take("\\")) {
    QUINTET_TRY(const CharacterSet set, parse_escape(false));
    return part_of(set);
  }
  const char c = peek();
  if (c == '*' || c == '+' || c == '?') return invalid("nothing to repeat");
  const DecodedCodePoint decoded = decode_utf8(text_, at_);
  at_ += decoded.bytes;
  return part_of({{decoded.code_point, decoded.code_point}});
}

Result<Part> PatternParser::parse_group(int depth) {
  constexpr int kMaxGroups = 40;
  if (depth == kMaxGroups) return cannot("groups nest too deeply");
  if (take("?<") && peek() != '=' && peek() != '!') {
    const size_t end = text_.find('>', at_);
    if (end == std::string_view::npos) return invalid("a group without the end of its name");
    at_ = end + 1;
  } else if (!take("?:") && (peek() == '?' || peek() == '=' || peek() == '!')) {
    return cannot("a look ahead or behind");
  }
  QUINTET_TRY(Part inner, parse_choice(depth + 1));
  if (!take(")")) return peek() == '^' || peek() == '$' ? cannot("an anchor inside of it") : invalid("a ( without )");
  if (!inner.repeats) inner.gbnf = "(" + inner.gbnf + ")";
  return inner;
}

Status PatternParser::repeat(Part& part) {
  uint32_t least = 1;
  uint32_t most = 1;
  if (take("*")) {
    least = 0;
    most = kUnbounded;
  } else if (take("+")) {
    most = kUnbounded;
  } else if (take("?")) {
    least = 0;
  } else {
    QUINTET_TRY(const bool bounded, parse_bounds(least, most));
    if (!bounded) return {};
  }
  take("?");  // as few as possible: the same texts
  if (peek() == '*' || peek() == '+') return invalid("a repetition of a repetition");
  if (most < least) return invalid("a repetition whose bounds do not ascend");
  if (part.none) {
    part = least == 0 ? Part{.gbnf = "\"\""} : part;
    return {};
  }
  const bool single = part.repeats && part.shortest == 1 && part.longest == 1;
  part.repeats = single;
  part.gbnf = (single ? part.one : "(" + part.gbnf + ")") + repetition(least, most);
  part.shortest = product(part.shortest, least);
  part.longest = product(part.longest, most);
  return {};
}

// {n}, {n,} or {n,m}
Result<bool> PatternParser::parse_bounds(uint32_t& least, uint32_t& most) {
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
  least = most = *first;
  if (take(",")) most = count().value_or(kUnbounded);
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
      return cannot("a property of Unicode");
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

Result<std::string> pattern_gbnf(std::string_view pattern, uint32_t least, uint32_t most) {
  return PatternParser(pattern).parse(least, most);
}

}  // namespace quintet::grammar
