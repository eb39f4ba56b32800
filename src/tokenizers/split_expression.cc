#include "tokenizers/split_expression.h"

#include <bit>

#include "base/utf8.h"

namespace quintet {

// Backtracking, which is what the references do: the first alternative that leads to a match wins.
class ExpressionMatcher {
 public:
  ExpressionMatcher(const SplitExpression& expression, std::string_view text, uint64_t& steps)
      : classes_(expression.classes_),
        program_(expression.program_),
        first_(expression.first_),
        text_(text),
        steps_(steps) {}

  static constexpr size_t kNone = SIZE_MAX;

  // The end of a match at `at` by the instructions from `pc` on, or kNone. The depth of the recursion is at most the
  // length of the program.
  size_t match(size_t pc, size_t at);
  // The end of the character at `at` if it is in the class, or kNone.
  size_t after(const CharacterClass& wanted, size_t at) const;

 private:
  using Operation = SplitExpression::Operation;
  using Instruction = SplitExpression::Instruction;

  bool take_steps(uint64_t count) {
    steps_ = steps_ < count ? 0 : steps_ - count;
    return steps_ != 0;
  }
  bool may_match(size_t pc, size_t at) const {
    return at == text_.size() ? first_[pc].end_of_text : first_[pc].contains(static_cast<uint8_t>(text_[at]));
  }
  uint32_t take_all(const Instruction& repeat, size_t& at) const;
  size_t match_after(size_t pc, uint32_t count, size_t at);

  const std::vector<CharacterClass>& classes_;
  const std::vector<Instruction>& program_;
  const std::vector<SplitExpression::FirstSet>& first_;
  std::string_view text_;
  uint64_t& steps_;
};

size_t ExpressionMatcher::after(const CharacterClass& wanted, size_t at) const {
  if (at == text_.size()) return kNone;
  const auto byte = static_cast<uint8_t>(text_[at]);
  if (byte < 0x80) return wanted.contains_ascii(byte) ? at + 1 : kNone;
  const DecodedCodePoint decoded = decode_utf8(text_, at);
  return wanted.contains(decoded.code_point) ? at + decoded.bytes : kNone;
}

// As many characters as possible; returns their number.
uint32_t ExpressionMatcher::take_all(const Instruction& repeat, size_t& at) const {
  const CharacterClass& wanted = classes_[repeat.class_index];
  uint32_t count = 0;
  for (; count < repeat.most; ++count) {
    const size_t next = after(wanted, at);
    if (next == kNone) break;
    at = next;
  }
  return count;
}

// After `count` characters of a repeated class, which are given back one by one until the rest matches.
size_t ExpressionMatcher::match_after(size_t pc, uint32_t count, size_t at) {
  for (;; --count) {
    const size_t end = may_match(pc + 1, at) ? match(pc + 1, at) : kNone;
    if (end != kNone || count == program_[pc].least || !take_steps(1)) return end;
    do --at;
    while (is_utf8_continuation(text_[at]));
  }
}

size_t ExpressionMatcher::match(size_t pc, size_t at) {
  while (take_steps(1)) {
    const Instruction& instruction = program_[pc];
    switch (instruction.operation) {
      case Operation::repeat:
      case Operation::possess: {
        const uint32_t count = take_all(instruction, at);
        if (count < instruction.least || !take_steps(count)) return kNone;
        const bool gives_back = instruction.operation == Operation::repeat && count != instruction.least;
        if (gives_back && program_[pc + 1].operation != Operation::match) return match_after(pc, count, at);
        break;
      }
      case Operation::fork:
        if (!may_match(pc + 1, at)) break;
        if (const size_t end = match(pc + 1, at); end != kNone) return end;
        break;
      case Operation::jump:
        break;
      case Operation::look:
        if (match(pc + 1, at) == kNone) return kNone;
        break;
      case Operation::look_not:
        if (match(pc + 1, at) != kNone) return kNone;
        break;
      case Operation::end_of_line:
        if (at != text_.size() && text_[at] != '\n') return kNone;
        break;
      case Operation::match:
        return at;
    }
    pc += instruction.offset;
  }
  return kNone;
}

// What may come first from an instruction on, or more than that: what may match nothing may be followed by anything.
SplitExpression::FirstSet SplitExpression::first_of(const Instruction& instruction, const FirstSet* rest) const {
  constexpr FirstSet kAnything = {
      .ascii = {UINT64_MAX, UINT64_MAX}, .beyond_ascii = character_kind::kAll, .end_of_text = true};
  FirstSet first = {};
  const auto add = [&first](const FirstSet& other) {
    first.ascii[0] |= other.ascii[0];
    first.ascii[1] |= other.ascii[1];
    first.beyond_ascii |= other.beyond_ascii;
    first.end_of_text |= other.end_of_text;
  };
  switch (instruction.operation) {
    case Operation::repeat:
    case Operation::possess: {
      const CharacterClass& one = classes_[instruction.class_index];
      for (char32_t c = 0; c < 0x80; ++c) first.ascii[c / 64] |= uint64_t{one.contains_ascii(c)} << (c % 64);
      first.beyond_ascii = one.kinds_beyond_ascii();
      if (instruction.least == 0) add(rest[1]);
      return first;
    }
    case Operation::fork:
      add(rest[1]);
      add(rest[instruction.offset]);
      return first;
    case Operation::jump:
    case Operation::look:
    case Operation::look_not:
      return rest[instruction.offset];
    default:
      return kAnything;
  }
}

void SplitExpression::index_branches() {
  first_.resize(program_.size());
  for (size_t pc = program_.size(); pc-- != 0;) first_[pc] = first_of(program_[pc], &first_[pc]);
  for (size_t i = 0; i < branches_.size(); ++i) {
    const uint32_t bit = 1u << i;
    const FirstSet& set = first_[branches_[i]];
    for (size_t c = 0; c < by_ascii_.size(); ++c) {
      if (set.contains(static_cast<uint8_t>(c))) by_ascii_[c] |= bit;
    }
    for (size_t kind = 0; kind < by_kind_.size(); ++kind) {
      if (set.beyond_ascii >> kind & 1) by_kind_[kind] |= bit;
    }
  }
  const Instruction& begin = program_[0];
  begins_with_run_ =
      branches_.size() == 1 && begin.operation == Operation::repeat && begin.least == 1 && begin.most == UINT32_MAX;
}

// Where a run leads to no match, no part of it does: without this, \s+$ would take quadratic time.
size_t SplitExpression::next_begin(std::string_view text, size_t at, const ExpressionMatcher& matcher) const {
  size_t next = at;
  if (begins_with_run_) {
    const CharacterClass& run = classes_[program_[0].class_index];
    for (size_t end = at; (end = matcher.after(run, end)) != ExpressionMatcher::kNone;) next = end;
  }
  if (next != at) return next;
  do ++next;
  while (next < text.size() && is_utf8_continuation(text[next]));
  return next;
}

// Those that may begin with the character at `at`; none inside a character.
uint32_t SplitExpression::branches_at(std::string_view text, size_t at) const {
  const auto byte = static_cast<uint8_t>(text[at]);
  if (byte < 0x80) return by_ascii_[byte];
  if (is_utf8_continuation(text[at])) return 0;
  uint32_t branches = 0;
  for (uint32_t kinds = possible_kinds(decode_utf8(text, at).code_point); kinds != 0; kinds &= kinds - 1) {
    branches |= by_kind_[static_cast<size_t>(std::countr_zero(kinds))];
  }
  return branches;
}

SplitExpression::Match SplitExpression::find(std::string_view text, size_t at, uint64_t& steps) const {
  ExpressionMatcher matcher(*this, text, steps);
  for (; at < text.size(); at = next_begin(text, at, matcher)) {
    uint32_t branches = branches_at(text, at);
    while (branches == 0 && ++at != text.size()) branches = branches_at(text, at);
    if (at == text.size()) break;
    for (; branches != 0; branches &= branches - 1) {
      const size_t end = matcher.match(branches_[static_cast<size_t>(std::countr_zero(branches))], at);
      if (end == ExpressionMatcher::kNone) continue;
      if (end != at) return {.begin = at, .end = end};
      break;
    }
  }
  return {.begin = text.size(), .end = text.size()};
}

}  // namespace quintet
