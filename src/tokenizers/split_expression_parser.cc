#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "tokenizers/split_expression.h"

namespace quintet {
namespace {

using namespace character_kind;

constexpr size_t kMaxBytes = 4096;
constexpr size_t kMaxBranches = 32;
constexpr size_t kMaxInstructions = 256;
constexpr int kMaxDepth = 8;
constexpr uint32_t kMaxRepeats = 1000;

struct NamedCategory {
  std::string_view name;
  uint16_t kinds;
};
constexpr NamedCategory kCategories[] = {
    {"L", kLetter},       {"Lu", kUpper}, {"Lt", kTitle},   {"Ll", kLower},      {"Lm", kModifier}, {"M", kMark},
    {"Lo", kOtherLetter}, {"N", kNumber}, {"Nd", kDecimal}, {"P", kPunctuation}, {"S", kSymbol},
};

// \w is what is alphabetic, marks, Nd, Pc and Join_Control (Unicode Technical Standard 18, annex C). Besides letters,
// those of category Nl and circled letters are alphabetic.
constexpr CharacterClass::Range kOtherWordCharacters[] = {
    {U'_', U'_'},       {0x16EE, 0x16F0},   {0x200C, 0x200D},   {0x203F, 0x2040},   {0x2054, 0x2054},
    {0x2160, 0x2182},   {0x2185, 0x2188},   {0x24B6, 0x24E9},   {0x3007, 0x3007},   {0x3021, 0x3029},
    {0x3038, 0x303A},   {0xA6E6, 0xA6EF},   {0xFE33, 0xFE34},   {0xFE4D, 0xFE4F},   {0xFF3F, 0xFF3F},
    {0x10140, 0x10174}, {0x10341, 0x10341}, {0x1034A, 0x1034A}, {0x103D1, 0x103D5}, {0x12400, 0x1246E},
    {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189},
};

void add_word_characters(CharacterClass& out) {
  out.add_kinds(kLetter | kMark | kDecimal);
  for (const CharacterClass::Range& range : kOtherWordCharacters) out.add_range(range);
}

bool is_alphanumeric(char32_t c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  Result<SplitExpression> parse();

 private:
  using Operation = SplitExpression::Operation;
  using Instruction = SplitExpression::Instruction;

  struct Quantifier {
    uint32_t least = 1, most = 1;
    bool possessive = false;
  };

  bool at_end() const { return at_ == text_.size(); }
  bool take(std::string_view wanted);
  char32_t next();
  std::unexpected<Error> unsupported(std::string_view what) const;

  // These append to the program.
  Status branches();
  Status alternatives(bool ignore_case, int depth);
  Status sequence(bool ignore_case, int depth);
  Status group(bool ignore_case, int depth);
  Status lookahead(Operation operation, bool ignore_case, int depth);
  Status characters(bool ignore_case);
  void insert_at(size_t position, Operation operation, size_t offset);
  uint32_t here() const { return static_cast<uint32_t>(result_.program_.size()); }

  Result<Quantifier> quantifier();
  Result<Quantifier> counts();
  std::optional<uint32_t> number();

  Result<CharacterClass> one_class(bool ignore_case);
  Result<CharacterClass> bracketed(bool ignore_case);
  // Adds what follows a backslash; a single character is returned instead.
  Result<std::optional<char32_t>> escape(CharacterClass& out);
  Status category(CharacterClass& out, bool negated);
  static void add_character(char32_t c, bool ignore_case, CharacterClass& out);

  std::string_view text_;
  size_t at_ = 0;
  SplitExpression result_;
};

bool ExpressionParser::take(std::string_view wanted) {
  if (!text_.substr(at_).starts_with(wanted)) return false;
  at_ += wanted.size();
  return true;
}

char32_t ExpressionParser::next() {
  const DecodedCodePoint decoded = decode_utf8(text_, at_);
  at_ += decoded.bytes;
  return decoded.code_point;
}

std::unexpected<Error> ExpressionParser::unsupported(std::string_view what) const {
  return unsupported_error("regular expression \"" + std::string(text_) + "\": " + std::string(what) + " at byte " +
                           std::to_string(at_) + " is not supported");
}

Result<SplitExpression> ExpressionParser::parse() {
  if (text_.size() > kMaxBytes) {
    return unsupported_error("a regular expression of more than " + std::to_string(kMaxBytes) + " bytes");
  }
  QUINTET_CHECK(branches());
  if (!at_end()) return unsupported("\")\"");
  result_.index_branches();
  return std::move(result_);
}

Status ExpressionParser::branches() {
  do {
    if (result_.branches_.size() == kMaxBranches) return unsupported("more than 32 alternatives");
    result_.branches_.push_back(here());
    QUINTET_CHECK(sequence(false, 0));
    result_.program_.push_back({});
  } while (take("|"));
  return {};
}

// Before the code of a part. Within the part, all offsets stay right.
void ExpressionParser::insert_at(size_t position, Operation operation, size_t offset) {
  result_.program_.insert(result_.program_.begin() + static_cast<ptrdiff_t>(position),
                          {.operation = operation, .offset = static_cast<uint32_t>(offset)});
}

// One after the other is tried: each begins with a fork to the next, and ends with a jump to the end.
Status ExpressionParser::alternatives(bool ignore_case, int depth) {
  if (depth > kMaxDepth) return unsupported("a group this deep");
  std::vector<uint32_t> jumps;
  for (;;) {
    const uint32_t begin = here();
    QUINTET_CHECK(sequence(ignore_case, depth));
    if (!take("|")) break;
    if (here() > kMaxInstructions) return unsupported("an expression of this size");
    insert_at(begin, Operation::fork, here() - begin + 2);
    jumps.push_back(here());
    result_.program_.push_back({.operation = Operation::jump});
  }
  for (const uint32_t jump : jumps) result_.program_[jump].offset = here() - jump;
  return {};
}

Status ExpressionParser::sequence(bool ignore_case, int depth) {
  while (!at_end() && text_[at_] != '|' && text_[at_] != ')') {
    if (take("(")) {
      QUINTET_CHECK(group(ignore_case, depth + 1));
    } else if (take("$")) {
      result_.program_.push_back({.operation = Operation::end_of_line});
    } else {
      QUINTET_CHECK(characters(ignore_case));
    }
    if (here() > kMaxInstructions) return unsupported("an expression of this size");
  }
  return {};
}

// After the opening parenthesis.
Status ExpressionParser::group(bool ignore_case, int depth) {
  if (take("?!")) return lookahead(Operation::look_not, ignore_case, depth);
  if (take("?=")) return lookahead(Operation::look, ignore_case, depth);
  if (take("?i:")) {
    ignore_case = true;
  } else if (!take("?:") && take("?")) {
    return unsupported("this kind of group");
  }
  const uint32_t begin = here();
  QUINTET_CHECK(alternatives(ignore_case, depth));
  if (!take(")")) return unsupported("a group without an end");
  QUINTET_TRY(const Quantifier repeats, quantifier());
  if (repeats.least == 1 && repeats.most == 1) return {};
  if (repeats.least != 0 || repeats.most != 1 || repeats.possessive) return unsupported("a repeated group");
  insert_at(begin, Operation::fork, here() - begin + 1);
  return {};
}

Status ExpressionParser::lookahead(Operation operation, bool ignore_case, int depth) {
  const uint32_t begin = here();
  QUINTET_CHECK(alternatives(ignore_case, depth));
  if (!take(")")) return unsupported("a group without an end");
  result_.program_.push_back({});
  insert_at(begin, operation, here() - begin + 1);
  return {};
}

Status ExpressionParser::characters(bool ignore_case) {
  QUINTET_TRY(CharacterClass one, one_class(ignore_case));
  QUINTET_TRY(const Quantifier repeats, quantifier());
  result_.program_.push_back({.operation = repeats.possessive ? Operation::possess : Operation::repeat,
                              .class_index = static_cast<uint16_t>(result_.classes_.size()),
                              .least = repeats.least,
                              .most = repeats.most});
  result_.classes_.push_back(std::move(one));
  return {};
}

Result<ExpressionParser::Quantifier> ExpressionParser::quantifier() {
  Quantifier repeats;
  if (take("?")) {
    repeats.least = 0;
  } else if (take("*")) {
    repeats = {.least = 0, .most = UINT32_MAX};
  } else if (take("+")) {
    repeats.most = UINT32_MAX;
  } else if (take("{")) {
    // A + after it would not be possessive in every dialect, and is refused with all else that cannot start a part.
    return counts();
  } else {
    return repeats;
  }
  repeats.possessive = take("+");
  return repeats;
}

// After the opening brace.
Result<ExpressionParser::Quantifier> ExpressionParser::counts() {
  const auto least = number();
  const bool comma = take(",");
  const auto most = comma ? number() : least;
  if (!least || !take("}")) return unsupported("this number of repetitions");
  const Quantifier repeats{.least = *least, .most = most.value_or(UINT32_MAX)};
  if (repeats.least > kMaxRepeats || repeats.most < repeats.least) return unsupported("this number of repetitions");
  return repeats;
}

std::optional<uint32_t> ExpressionParser::number() {
  const size_t begin = at_;
  uint32_t value = 0;
  while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9' && value <= kMaxRepeats) {
    value = value * 10 + static_cast<uint32_t>(text_[at_++] - '0');
  }
  return at_ == begin ? std::nullopt : std::optional(value);
}

Result<CharacterClass> ExpressionParser::one_class(bool ignore_case) {
  CharacterClass one;
  if (take("[")) return bracketed(ignore_case);
  if (take(".")) {
    one.add_range({'\n', '\n'});
    one.negate();
    return one;
  }
  std::optional<char32_t> character;
  if (take("\\W")) {
    add_word_characters(one);
    one.negate();
  } else if (take("\\")) {
    QUINTET_TRY(character, escape(one));
  } else {
    constexpr std::string_view kReserved = "^?*+{}";
    if (kReserved.contains(text_[at_])) return unsupported("\"" + std::string(1, text_[at_]) + "\"");
    character = next();
  }
  if (character) add_character(*character, ignore_case, one);
  return one;
}

// After the opening bracket.
Result<CharacterClass> ExpressionParser::bracketed(bool ignore_case) {
  CharacterClass set;
  const bool negated = take("^");
  const auto one = [&]() -> Result<std::optional<char32_t>> {
    if (take("\\")) return escape(set);
    if (at_end() || text_[at_] == '[' || text_.substr(at_).starts_with("&&")) return unsupported("this class");
    return std::optional(next());
  };
  do {
    QUINTET_TRY(const auto first, one());
    if (!first) continue;
    const bool is_range = text_.substr(at_).starts_with("-") && !text_.substr(at_).starts_with("-]");
    if (!is_range) {
      add_character(*first, ignore_case, set);
      continue;
    }
    ++at_;
    QUINTET_TRY(const auto last, one());
    if (!last || *last < *first || ignore_case) return unsupported("this range");
    set.add_range({*first, *last});
  } while (!take("]"));
  if (negated) set.negate();
  return set;
}

Result<std::optional<char32_t>> ExpressionParser::escape(CharacterClass& out) {
  if (at_end()) return unsupported("a backslash");
  const char32_t c = next();
  switch (c) {
    case 's':
    case 'S':
      out.add_kinds(c == 's' ? kSpace : kAll - kSpace);
      return std::nullopt;
    case 'd':
    case 'D':
      out.add_kinds(c == 'd' ? kDecimal : kAll - kDecimal);
      return std::nullopt;
    case 'w':
      add_word_characters(out);
      return std::nullopt;
    case 'p':
    case 'P':
      QUINTET_CHECK(category(out, c == 'P'));
      return std::nullopt;
    case 'n':
      return U'\n';
    case 'r':
      return U'\r';
    case 't':
      return U'\t';
    default:
      if (is_alphanumeric(c) || c >= 0x80) return unsupported("this escape");
      return c;
  }
}

// After \p or \P. White space is no category of its own, but none of those supported contains any.
Status ExpressionParser::category(CharacterClass& out, bool negated) {
  const size_t end = take("{") ? text_.find('}', at_) : std::string_view::npos;
  const auto name = end == std::string_view::npos ? std::string_view() : text_.substr(at_, end - at_);
  const auto* found = std::ranges::find(kCategories, name, &NamedCategory::name);
  if (found == std::end(kCategories)) return unsupported("this category");
  at_ = end + 1;
  out.add_kinds(negated ? kAll - found->kinds : found->kinds);
  return {};
}

// Without case, two characters beyond ASCII equal ASCII letters: the long s and the Kelvin sign.
void ExpressionParser::add_character(char32_t c, bool ignore_case, CharacterClass& out) {
  out.add_range({c, c});
  const char32_t lower = c | 0x20;
  if (!ignore_case || lower < 'a' || lower > 'z' || c >= 0x80) return;
  out.add_range({lower, lower});
  out.add_range({lower - 0x20, lower - 0x20});
  if (lower == 's') out.add_range({U'\u017F', U'\u017F'});
  if (lower == 'k') out.add_range({U'\u212A', U'\u212A'});
}

Result<SplitExpression> SplitExpression::compile(std::string_view expression) {
  return ExpressionParser(expression).parse();
}

}  // namespace quintet
