#include <algorithm>
#include <string>
#include <utility>

#include "tokenizers/split_expression/character_class.h"
#include "tokenizers/split_expression/expression_cursor.h"
#include "tokenizers/split_expression/split_expression.h"

namespace quintet {
namespace {

constexpr size_t kMaxBytes = 4096;
constexpr size_t kMaxBranches = 32;
constexpr size_t kMaxInstructions = 256;
constexpr int kMaxDepth = 8;
constexpr uint32_t kMaxRepeats = 1000;
constexpr uint32_t kUnlimited = UINT32_MAX;

// The number of characters that a part of the expression matches.
struct Lengths {
  uint32_t min = 0, max = 0;

  static uint32_t sum(uint32_t a, uint32_t b) { return a > kUnlimited - b ? kUnlimited : a + b; }
  static uint32_t product(uint32_t a, uint32_t b) { return b != 0 && a > kUnlimited / b ? kUnlimited : a * b; }

  Lengths then(Lengths next) const { return {.min = sum(min, next.min), .max = sum(max, next.max)}; }
  Lengths or_else(Lengths other) const { return {.min = std::min(min, other.min), .max = std::max(max, other.max)}; }
};

}  // namespace

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : cursor_(text) {}

  Result<SplitExpression> parse();

 private:
  using Operation = SplitExpression::Operation;
  using Instruction = SplitExpression::Instruction;
  using Program = std::vector<Instruction>;

  struct Quantifier {
    uint32_t min = 1, max = 1;
    bool lazy = false, possessive = false;
  };

  // These append to the program.
  void branches();
  Lengths alternatives(bool ignore_case, int depth);
  Lengths sequence(bool ignore_case, int depth);
  Lengths part(bool ignore_case, int depth);
  Lengths group(bool ignore_case, int depth);
  Lengths isolated(Operation operation, bool ignore_case, int depth);
  void look_behind(Operation operation, bool ignore_case, int depth);
  bool assertion();
  void repeat(size_t begin, Lengths& lengths, const Quantifier& quantifier);
  void repeat_group(size_t begin, const Quantifier& quantifier);

  void add(Instruction instruction) { program_.push_back(instruction); }
  void add(const Program& code) {
    for (const Instruction& each : code) add(each);
  }
  uint16_t add_class(CharacterClass one);
  // Inserts an instruction before the code of a part, which continues `beyond` its end. All offsets within the part
  // stay right.
  void insert(size_t begin, Instruction instruction, size_t beyond);
  void end_alternative(size_t begin, std::vector<size_t>& jumps);
  void land(const std::vector<size_t>& jumps);
  size_t here() const { return program_.size(); }
  static int32_t distance(size_t from, size_t to) { return static_cast<int32_t>(to) - static_cast<int32_t>(from); }

  // Returns false if there is no quantifier.
  bool take_quantifier(Quantifier& quantifier);
  void take_counts(Quantifier& quantifier);
  void end_group();

  ExpressionCursor cursor_;
  SplitExpression result_;
  Program& program_ = result_.program_;
};

Result<SplitExpression> ExpressionParser::parse() {
  if (cursor_.text().size() > kMaxBytes) {
    return unsupported_error("a regular expression of more than {} bytes", kMaxBytes);
  }
  branches();
  if (!cursor_.at_end()) cursor_.fail("\")\"");
  if (cursor_.has_failed()) return cursor_.error();
  result_.prepare();
  result_.source_ = cursor_.text();
  return std::move(result_);
}

void ExpressionParser::branches() {
  do {
    if (result_.branches_.size() == kMaxBranches) return cursor_.fail("more than 32 alternatives");
    result_.branches_.push_back(static_cast<uint32_t>(here()));
    sequence(false, 0);
    add(Instruction());
  } while (cursor_.take("|"));
}

void ExpressionParser::insert(size_t begin, Instruction instruction, size_t beyond) {
  instruction.offset = distance(begin, here() + 1 + beyond);
  add(instruction);
  for (size_t i = here() - 1; i > begin; --i) std::swap(program_[i], program_[i - 1]);
}

uint16_t ExpressionParser::add_class(CharacterClass one) {
  result_.classes_.push_back(std::move(one));
  return static_cast<uint16_t>(result_.classes_.size() - 1);
}

// Alternatives are tried one after the other: each begins with a fork to the next, and ends with a jump to the end.
Lengths ExpressionParser::alternatives(bool ignore_case, int depth) {
  if (depth > kMaxDepth) cursor_.fail("a group this deep");
  std::vector<size_t> jumps;
  Lengths all{.min = kUnlimited, .max = 0};
  for (;;) {
    const size_t begin = here();
    all = all.or_else(sequence(ignore_case, depth));
    if (!cursor_.take("|")) break;
    end_alternative(begin, jumps);
  }
  land(jumps);
  return all;
}

void ExpressionParser::end_alternative(size_t begin, std::vector<size_t>& jumps) {
  insert(begin, {.operation = Operation::fork}, 1);
  jumps.push_back(here());
  add({.operation = Operation::jump});
}

void ExpressionParser::land(const std::vector<size_t>& jumps) {
  for (const size_t jump : jumps) program_[jump].offset = distance(jump, here());
}

Lengths ExpressionParser::sequence(bool ignore_case, int depth) {
  Lengths all;
  while (!cursor_.at_end() && cursor_.peek() != '|' && cursor_.peek() != ')') {
    const size_t begin = here();
    Lengths lengths = part(ignore_case, depth);
    for (Quantifier quantifier; take_quantifier(quantifier); quantifier = {}) repeat(begin, lengths, quantifier);
    all = all.then(lengths);
    if (here() > kMaxInstructions) cursor_.fail("an expression of this size");
  }
  return all;
}

Lengths ExpressionParser::part(bool ignore_case, int depth) {
  if (cursor_.take("(")) return group(ignore_case, depth + 1);
  if (assertion()) return Lengths();
  add({.operation = Operation::repeat, .index = add_class(parse_character_class(cursor_, ignore_case))});
  return {.min = 1, .max = 1};
}

bool ExpressionParser::assertion() {
  struct Named {
    std::string_view text;
    Operation operation;
  };
  constexpr Named kAssertions[] = {
      {"^", Operation::begin_of_line},      {"$", Operation::end_of_line},        {"\\A", Operation::begin_of_text},
      {"\\z", Operation::end_of_text},      {"\\Z", Operation::end_of_last_line}, {"\\b", Operation::word_boundary},
      {"\\B", Operation::no_word_boundary},
  };
  for (const Named& each : kAssertions) {
    if (!cursor_.take(each.text)) continue;
    add({.operation = each.operation});
    if ((each.text.back() | 0x20) == 'b') program_.back().index = add_class(word_characters(false));
    return true;
  }
  return false;
}

void ExpressionParser::end_group() {
  if (!cursor_.take(")")) cursor_.fail("a group without an end");
}

// Parses a group after its opening parenthesis.
Lengths ExpressionParser::group(bool ignore_case, int depth) {
  if (cursor_.take("?!")) return isolated(Operation::look_not, ignore_case, depth);
  if (cursor_.take("?=")) return isolated(Operation::look, ignore_case, depth);
  if (cursor_.take("?>")) return isolated(Operation::atomic, ignore_case, depth);
  const bool is_behind = cursor_.take("?<=");
  if (is_behind || cursor_.take("?<!")) {
    look_behind(is_behind ? Operation::look_behind : Operation::look_behind_not, ignore_case, depth);
    return Lengths();
  }
  // It holds up to the end of the group that it is in.
  if (cursor_.take("?i)")) return alternatives(true, depth);
  if (cursor_.take("?i:")) {
    ignore_case = true;
  } else if (!cursor_.take("?:") && cursor_.peek() == '?') {
    cursor_.fail("this kind of group");
  }
  const Lengths lengths = alternatives(ignore_case, depth);
  end_group();
  return lengths;
}

// Parses a part that is matched by itself.
Lengths ExpressionParser::isolated(Operation operation, bool ignore_case, int depth) {
  const size_t begin = here();
  const Lengths lengths = alternatives(ignore_case, depth);
  end_group();
  add(Instruction());
  insert(begin, {.operation = operation}, 0);
  return operation == Operation::atomic ? lengths : Lengths();
}

// Each alternative looks back by its own length. Those of the negative kind must hold one after the other.
void ExpressionParser::look_behind(Operation operation, bool ignore_case, int depth) {
  if (depth > kMaxDepth) cursor_.fail("a group this deep");
  std::vector<size_t> jumps;
  for (;;) {
    const size_t begin = here();
    const Lengths lengths = sequence(ignore_case, depth);
    if (lengths.min != lengths.max) cursor_.fail("to look behind for texts of several lengths");
    add(Instruction());
    insert(begin, {.operation = operation, .min = lengths.min}, 0);
    if (!cursor_.take("|")) break;
    if (operation == Operation::look_behind) end_alternative(begin, jumps);
  }
  land(jumps);
  end_group();
}

// Repeats the instructions from `begin` on.
void ExpressionParser::repeat(size_t begin, Lengths& lengths, const Quantifier& quantifier) {
  const bool is_endless = quantifier.max == kUnlimited;
  if (is_endless && lengths.min == 0) cursor_.fail("to repeat without a limit what may be empty");
  if (cursor_.has_failed()) return;
  lengths = {.min = Lengths::product(lengths.min, quantifier.min),
             .max = Lengths::product(lengths.max, quantifier.max)};
  if (here() == begin) return;  // an empty group
  Instruction& last = program_.back();
  const bool is_one = here() == begin + 1 && last.operation == Operation::repeat && last.min == 1 && last.max == 1;
  if (!is_one) return repeat_group(begin, quantifier);
  last.min = quantifier.min;
  last.max = quantifier.max;
  if (quantifier.lazy) last.operation = Operation::repeat_lazily;
  if (quantifier.possessive) last.operation = Operation::possess;
}

// Repeats the code for each time that it must match; then adds a loop, or the code for each time that it may match.
void ExpressionParser::repeat_group(size_t begin, const Quantifier& quantifier) {
  const Program code(program_.begin() + static_cast<ptrdiff_t>(begin), program_.end());
  const bool is_endless = quantifier.max == kUnlimited;
  if (code.size() * (is_endless ? quantifier.min : quantifier.max) > kMaxInstructions) {
    return cursor_.fail("an expression of this size");
  }
  while (here() != begin) program_.pop_back();
  for (uint32_t i = 0; i < quantifier.min; ++i) add(code);
  const size_t optional = is_endless ? quantifier.min == 0 : quantifier.max - quantifier.min;
  // A repetition that is left out leaves out the rest.
  const size_t end = here() + optional * (code.size() + 1) + (is_endless ? 1 : 0);
  for (size_t i = 0; i < optional; ++i) {
    add({.operation = quantifier.lazy ? Operation::fork_away : Operation::fork, .offset = distance(here(), end)});
    add(code);
  }
  if (is_endless) {
    add({.operation = quantifier.lazy ? Operation::fork : Operation::fork_away,
         .offset = -static_cast<int32_t>(code.size())});
  }
  if (!quantifier.possessive) return;
  add(Instruction());
  insert(begin, {.operation = Operation::atomic}, 0);
}

bool ExpressionParser::take_quantifier(Quantifier& quantifier) {
  if (cursor_.take("{")) {
    take_counts(quantifier);
    return true;
  }
  constexpr std::string_view kSigns = "?*+";
  const size_t sign = kSigns.find(cursor_.peek());
  if (sign == std::string_view::npos) return false;
  cursor_.take_character();
  if (sign != 2) quantifier.min = 0;
  if (sign != 0) quantifier.max = kUnlimited;
  quantifier.possessive = cursor_.take("+");
  quantifier.lazy = !quantifier.possessive && cursor_.take("?");
  return true;
}

// Parses {m,n} after its opening brace. A + after it is a separate quantifier, as is a ? after {n}.
void ExpressionParser::take_counts(Quantifier& quantifier) {
  const bool has_min = cursor_.peek() != ',';
  quantifier.min = cursor_.take_number(kMaxRepeats, has_min ? kUnlimited : 0);
  quantifier.max = quantifier.min;
  if (cursor_.take(",")) quantifier.max = cursor_.take_number(kMaxRepeats, has_min ? kUnlimited : 0);
  const bool ends = cursor_.take("}");
  if (!ends || quantifier.min > kMaxRepeats || quantifier.max < std::max(quantifier.min, 1u)) {
    cursor_.fail("this number of repetitions");
  }
  quantifier.lazy = quantifier.min != quantifier.max && cursor_.take("?");
}

Result<SplitExpression> SplitExpression::compile(std::string_view expression) {
  return ExpressionParser(expression).parse();
}

}  // namespace quintet
