#include "grammar/gbnf.h"

#include <map>

#include "base/flag_list.h"
#include "base/utf8.h"

namespace quintet::grammar {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || is_digit(c); }

class GbnfParser {
 public:
  explicit GbnfParser(std::string_view text) : text_(text) {}

  Result<Syntax> parse();

 private:
  // Whether a line ends here is only asked outside of groups.
  enum class Lines : uint8_t { end, continue_ };

  Status parse_rule();
  Result<Expression> parse_choice(Lines lines, int depth);
  Result<Expression> parse_sequence(Lines lines, int depth);
  // An item without what repeats it; nothing where a sequence ends.
  Result<bool> parse_item(int depth, Expression& item);
  Result<Expression> parse_literal();
  Result<Expression> parse_class();
  Result<Expression> parse_token();
  Status repeat(Lines lines, Expression& item);
  Result<char32_t> parse_character();
  Result<char32_t> parse_hex(int digits);
  Result<uint32_t> parse_count();

  bool at_end() const { return at_ == text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool take(char c) {
    const bool there = !at_end() && text_[at_] == c;
    at_ += there ? 1U : 0U;
    return there;
  }
  bool take(std::string_view word) {
    const bool there = text_.substr(at_).starts_with(word);
    at_ += there ? word.size() : 0;
    return there;
  }
  std::string_view take_name();
  // Spaces and comments and, where a rule continues in the next line, ends of lines.
  void skip_space(Lines lines);
  uint32_t rule_named(std::string_view name);
  Failure expected(std::string_view what) const;

  std::string_view text_;
  size_t at_ = 0;
  Syntax syntax_;
  std::map<std::string, uint32_t, std::less<>> by_name_;
  std::vector<size_t> first_use_;  // of each rule: its offset, for those that are never defined
  FlagList defined_;
};

Failure GbnfParser::expected(std::string_view what) const {
  std::string found = "the end";
  if (!at_end()) found = formatted("\"{}\"", first_characters(text_.substr(at_), 12));
  return at_offset(input_error(Reason::malformed, "grammar: expected {}, found {}", what, found), at_);
}

Result<Syntax> GbnfParser::parse() {
  if (const auto invalid = find_invalid_utf8(text_)) {
    at_ = *invalid;
    return input_error(Reason::invalid_utf8, "grammar: byte {} is not UTF-8", at_);
  }
  skip_space(Lines::continue_);
  while (!at_end()) QUINTET_CHECK(parse_rule());
  for (size_t rule = 0; rule < defined_.size(); ++rule) {
    if (defined_[rule]) continue;
    return at_offset(input_error(Reason::missing, "grammar: there is no rule {}", syntax_.rules[rule].name),
                     first_use_[rule]);
  }
  const auto root = by_name_.find("root");
  if (root == by_name_.end()) return input_error(Reason::missing, "grammar: there is no rule root");
  syntax_.root = root->second;
  return std::move(syntax_);
}

Status GbnfParser::parse_rule() {
  const auto name = take_name();
  if (name.empty()) return expected("the name of a rule");
  const uint32_t rule = rule_named(name);
  skip_space(Lines::end);
  if (!take("::=")) return expected("::=");
  skip_space(Lines::continue_);
  QUINTET_TRY(Expression body, parse_choice(Lines::end, 0));
  const bool ends = at_end() || take('\r') || peek() == '\n';
  if (!ends) return expected("the end of the line");
  skip_space(Lines::continue_);
  syntax_.rules[rule].body = std::move(body);
  defined_[rule] = true;
  return {};
}

Result<Expression> GbnfParser::parse_choice(Lines lines, int depth) {
  if (depth > kMaxNesting) {
    return input_error(Reason::limit, "grammar: groups nest deeper than {} at byte {}", kMaxNesting, at_);
  }
  QUINTET_TRY(Expression first, parse_sequence(lines, depth));
  if (peek() != '|') return first;
  Expression choice = {.kind = Expression::Kind::choice};
  choice.parts.push_back(std::move(first));
  while (take('|')) {
    skip_space(Lines::continue_);
    QUINTET_TRY(Expression next, parse_sequence(lines, depth));
    choice.parts.push_back(std::move(next));
  }
  return choice;
}

Result<Expression> GbnfParser::parse_sequence(Lines lines, int depth) {
  Expression sequence;
  while (true) {
    Expression item;
    QUINTET_TRY(const bool there, parse_item(depth, item));
    if (!there) break;
    skip_space(lines);
    QUINTET_CHECK(repeat(lines, item));
    sequence.parts.push_back(std::move(item));
  }
  if (sequence.parts.size() == 1) return std::move(sequence.parts.front());
  return sequence;
}

Result<bool> GbnfParser::parse_item(int depth, Expression& item) {
  const char c = peek();
  if (c == '"') {
    QUINTET_TRY(item, parse_literal());
  } else if (c == '[') {
    QUINTET_TRY(item, parse_class());
  } else if (c == '<' || c == '!') {
    QUINTET_TRY(item, parse_token());
  } else if (is_name_character(c)) {
    const size_t begin = at_;
    item = {.kind = Expression::Kind::rule, .index = rule_named(take_name())};
    if (!defined_[item.index] && first_use_[item.index] == text_.size()) first_use_[item.index] = begin;
  } else if (take('(')) {
    skip_space(Lines::continue_);
    QUINTET_TRY(item, parse_choice(Lines::continue_, depth + 1));
    if (!take(')')) return expected(")");
  } else if (take('.')) {
    item = {.kind = Expression::Kind::characters, .set = complement({})};
  } else {
    return false;
  }
  return true;
}

Result<Expression> GbnfParser::parse_literal() {
  Expression literal = {.kind = Expression::Kind::literal};
  ++at_;
  while (!take('"')) {
    QUINTET_TRY(const char32_t character, parse_character());
    append_utf8(character, literal.text);
  }
  return literal;
}

Result<Expression> GbnfParser::parse_class() {
  ++at_;
  const bool negated = take('^');
  std::vector<CodeRange> ranges;
  while (!take(']')) {
    QUINTET_TRY(const char32_t first, parse_character());
    char32_t last = first;
    if (peek() == '-' && peek(1) != ']') {
      ++at_;
      QUINTET_TRY(last, parse_character());
      if (last < first) return expected("a class whose ranges ascend, before");
    }
    ranges.push_back({first, last});
  }
  if (ranges.empty()) return expected("a class with characters, before");
  CharacterSet set = normalized(std::move(ranges));
  return Expression{.kind = Expression::Kind::characters, .set = negated ? complement(set) : std::move(set)};
}

Result<Expression> GbnfParser::parse_token() {
  Expression item = {.kind = Expression::Kind::token, .negated = take('!')};
  const size_t begin = at_;
  if (!take('<')) return expected("<");
  TokenName token;
  if (take('[')) {
    QUINTET_TRY(token.id, parse_count());
    if (!take("]>")) return expected("]>");
  } else {
    const size_t end = text_.find('>', at_);
    if (end == std::string_view::npos) return expected("a token and >");
    at_ = end + 1;
    token.text = text_.substr(begin, at_ - begin);
  }
  item.index = static_cast<uint32_t>(syntax_.tokens.size());
  syntax_.tokens.push_back(std::move(token));
  return item;
}

// All of * + ? {} that follow an item. More than a few add nothing, and each would nest one level deeper.
Status GbnfParser::repeat(Lines lines, Expression& item) {
  constexpr int kMaxInARow = 3;
  for (int count = 0;; ++count) {
    uint32_t min = 0;
    uint32_t max = kUnbounded;
    if (take('?')) {
      max = 1;
    } else if (take('+')) {
      min = 1;
    } else if (take('{')) {
      skip_space(lines);
      QUINTET_TRY(min, parse_count());
      skip_space(lines);
      max = min;
      if (take(',')) {
        skip_space(lines);
        max = kUnbounded;
        if (is_digit(peek())) {
          QUINTET_TRY(max, parse_count());
        }
        skip_space(lines);
      }
      if (max < min) return expected("a repetition whose bounds ascend, before");
      if (!take('}')) return expected("}");
    } else if (!take('*')) {
      return {};
    }
    if (count == kMaxInARow) return expected("no more than 3 repetitions of one item, before");
    skip_space(lines);
    Expression repeated = {.kind = Expression::Kind::repeat, .min = min, .max = max};
    repeated.parts.push_back(std::move(item));
    item = std::move(repeated);
  }
}

Result<char32_t> GbnfParser::parse_character() {
  if (at_end()) return expected("a character");
  if (!take('\\')) {
    const DecodedCodePoint decoded = decode_utf8(text_, at_);
    at_ += decoded.bytes;
    return decoded.code_point;
  }
  const char escape = peek();
  switch (escape) {
    case 'x':
      return parse_hex(2);
    case 'u':
      return parse_hex(4);
    case 'U':
      return parse_hex(8);
    case 't':
    case 'r':
    case 'n':
      ++at_;
      return escape == 't' ? U'\t' : escape == 'r' ? U'\r' : U'\n';
    case '\\':
    case '"':
    case '[':
    case ']':
    case '-':
      ++at_;
      return static_cast<char32_t>(escape);
    default:
      return expected("n, r, t, \\, \", [, ], -, x, u or U after \\");
  }
}

Result<char32_t> GbnfParser::parse_hex(int digits) {
  ++at_;
  char32_t value = 0;
  for (int i = 0; i < digits; ++i, ++at_) {
    const char c = peek();
    const char lower = static_cast<char>(c | 0x20);
    const bool letter = lower >= 'a' && lower <= 'f';
    if (!is_digit(c) && !letter) return expected("a hexadecimal digit");
    value = value * 16 + static_cast<char32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value > kLastCodePoint || surrogate) return expected("the number of a character, before");
  return value;
}

Result<uint32_t> GbnfParser::parse_count() {
  if (!is_digit(peek())) return expected("a number");
  uint64_t count = 0;
  while (is_digit(peek())) {
    count = count * 10 + static_cast<uint64_t>(peek() - '0');
    if (count >= kUnbounded) return expected("a number below 4294967295, before");
    ++at_;
  }
  return static_cast<uint32_t>(count);
}

std::string_view GbnfParser::take_name() {
  const size_t begin = at_;
  while (is_name_character(peek())) ++at_;
  return text_.substr(begin, at_ - begin);
}

void GbnfParser::skip_space(Lines lines) {
  while (!at_end()) {
    const char c = peek();
    const bool line_end = c == '\r' || c == '\n';
    if (c == '#') {
      while (!at_end() && peek() != '\r' && peek() != '\n') ++at_;
    } else if (c == ' ' || c == '\t' || (line_end && lines == Lines::continue_)) {
      ++at_;
    } else {
      return;
    }
  }
}

uint32_t GbnfParser::rule_named(std::string_view name) {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) return known->second;
  const auto rule = static_cast<uint32_t>(syntax_.rules.size());
  by_name_.emplace(name, rule);
  syntax_.rules.push_back({.name = std::string(name), .body = {}});
  first_use_.push_back(text_.size());
  defined_.push_back(false);
  return rule;
}

}  // namespace

Result<Syntax> parse_gbnf(std::string_view text) { return GbnfParser(text).parse(); }

}  // namespace quintet::grammar
