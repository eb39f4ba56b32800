#include "tokenizers/split_expression.h"

#include <bit>

#include "base/utf8.h"

namespace quintet {
namespace {

// 16 MB. Known expressions leave a few for each character of a match.
constexpr size_t kMaxChoices = size_t{1} << 20;

size_t previous_character(std::string_view text, size_t at) {
  do --at;
  while (is_utf8_continuation(text[at]));
  return at;
}

size_t next_character(std::string_view text, size_t at) {
  do ++at;
  while (at < text.size() && is_utf8_continuation(text[at]));
  return at;
}

}  // namespace

// Backtracking, which is what the reference does: the first alternative that leads to a match wins. The alternatives
// that remain are on a stack, which a match leaves as it was.
class ExpressionMatcher {
 public:
  ExpressionMatcher(const SplitExpression& expression, std::string_view text, SplitExpression::Search& search)
      : classes_(expression.classes_),
        program_(expression.program_),
        first_(expression.first_),
        kinds_(search.kinds_),
        text_(text),
        steps_(search.steps_),
        choices_(search.choices_) {}

  static constexpr size_t kNone = SIZE_MAX;

  // The end of a match at `at` by the instructions from `pc` on, or kNone. The depth of the recursion is that of groups
  // that look around.
  size_t match(uint32_t pc, size_t at);
  // The end of the character at `at` if it is in the class, or kNone.
  size_t after(const CharacterClass& wanted, size_t at) const;

 private:
  using Operation = SplitExpression::Operation;
  using Instruction = SplitExpression::Instruction;
  using Choice = SplitExpression::Search::Choice;

  bool take_steps(uint64_t count) {
    steps_ = steps_ < count ? 0 : steps_ - count;
    return steps_ != 0;
  }
  void forget_choices(size_t base) { choices_.erase(choices_.begin() + static_cast<ptrdiff_t>(base), choices_.end()); }
  void add_choice(uint32_t pc, uint32_t left, size_t at) {
    if (choices_.size() == kMaxChoices) steps_ = 0;
    choices_.push_back({.pc = pc, .left = left, .at = at});
  }
  bool may_match(uint32_t pc, size_t at) const {
    return at == text_.size() ? first_[pc].end_of_text : first_[pc].contains(static_cast<uint8_t>(text_[at]));
  }
  uint32_t take(const Instruction& repeat, uint32_t most, size_t& at) const;
  bool advance(uint32_t& pc, size_t& at);
  bool step_repeat(uint32_t pc, size_t& at);
  bool look(uint32_t pc, size_t at);
  bool holds(const Instruction& instruction, size_t at) const;
  bool is_word_boundary(const CharacterClass& word, size_t at) const;
  bool backtrack(size_t base, uint32_t& pc, size_t& at);
  bool resume(Choice& choice);

  const std::vector<CharacterClass>& classes_;
  const std::vector<Instruction>& program_;
  const std::vector<SplitExpression::FirstSet>& first_;
  const CharacterKinds& kinds_;
  std::string_view text_;
  uint64_t& steps_;
  std::vector<Choice>& choices_;
};

size_t ExpressionMatcher::after(const CharacterClass& wanted, size_t at) const {
  if (at == text_.size()) return kNone;
  const auto byte = static_cast<uint8_t>(text_[at]);
  if (byte < 0x80) return wanted.contains_ascii(byte) ? at + 1 : kNone;
  const auto [c, bytes, valid] = decode_valid_utf8(text_, at);
  return wanted.contains_beyond_ascii(c, kinds_.of(c)) ? at + bytes : kNone;
}

// As many characters as possible; returns their number.
uint32_t ExpressionMatcher::take(const Instruction& repeat, uint32_t most, size_t& at) const {
  const CharacterClass& wanted = classes_[repeat.class_index];
  uint32_t count = 0;
  for (; count < most; ++count) {
    const size_t next = after(wanted, at);
    if (next == kNone) break;
    at = next;
  }
  return count;
}

size_t ExpressionMatcher::match(uint32_t pc, size_t at) {
  const size_t base = choices_.size();
  while (take_steps(1)) {
    if (program_[pc].operation == Operation::match) {
      forget_choices(base);
      return at;
    }
    if (!advance(pc, at) && !backtrack(base, pc, at)) return kNone;
  }
  forget_choices(base);
  return kNone;
}

// One instruction. False if it does not match.
bool ExpressionMatcher::advance(uint32_t& pc, size_t& at) {
  const Instruction& instruction = program_[pc];
  const uint32_t away = pc + static_cast<uint32_t>(instruction.offset);
  switch (instruction.operation) {
    case Operation::repeat:
    case Operation::repeat_lazily:
    case Operation::possess:
      if (!step_repeat(pc, at)) return false;
      ++pc;
      return true;
    case Operation::fork:
      if (!may_match(pc + 1, at)) break;
      add_choice(away, 0, at);
      ++pc;
      return true;
    case Operation::fork_away:
      add_choice(pc + 1, 0, at);
      break;
    case Operation::jump:
      break;
    case Operation::atomic: {
      const size_t end = match(pc + 1, at);
      if (end == kNone) return false;
      at = end;
      break;
    }
    case Operation::look:
    case Operation::look_not:
    case Operation::look_behind:
    case Operation::look_behind_not:
      if (!look(pc, at)) return false;
      break;
    default:
      if (!holds(instruction, at)) return false;
      break;
  }
  pc = away;
  return true;
}

bool ExpressionMatcher::step_repeat(uint32_t pc, size_t& at) {
  const Instruction& instruction = program_[pc];
  const bool is_lazy = instruction.operation == Operation::repeat_lazily;
  const uint32_t count = take(instruction, is_lazy ? instruction.least : instruction.most, at);
  if (count < instruction.least || !take_steps(count)) return false;
  if (instruction.operation == Operation::possess) return true;
  const uint32_t left = is_lazy ? instruction.most - count : count - instruction.least;
  if (left != 0) add_choice(pc, left, at);
  return may_match(pc + 1, at);
}

bool ExpressionMatcher::look(uint32_t pc, size_t at) {
  const Instruction& instruction = program_[pc];
  const bool behind =
      instruction.operation == Operation::look_behind || instruction.operation == Operation::look_behind_not;
  const bool wanted = instruction.operation == Operation::look || instruction.operation == Operation::look_behind;
  for (uint32_t i = 0; behind && i < instruction.least; ++i) {
    if (at == 0) return !wanted;
    at = previous_character(text_, at);
  }
  return (match(pc + 1, at) != kNone) == wanted;
}

bool ExpressionMatcher::holds(const Instruction& instruction, size_t at) const {
  const bool begins = at == 0, ends = at == text_.size();
  switch (instruction.operation) {
    case Operation::begin_of_line:
      return begins || (!ends && text_[at - 1] == '\n');
    case Operation::end_of_line:
      return ends || text_[at] == '\n';
    case Operation::begin_of_text:
      return begins;
    case Operation::end_of_text:
      return ends;
    case Operation::end_of_last_line:
      return ends || (at + 1 == text_.size() && text_[at] == '\n');
    default: {
      const bool wanted = instruction.operation == Operation::word_boundary;
      return is_word_boundary(classes_[instruction.class_index], at) == wanted;
    }
  }
}

bool ExpressionMatcher::is_word_boundary(const CharacterClass& word, size_t at) const {
  const bool before = at != 0 && after(word, previous_character(text_, at)) != kNone;
  return before != (after(word, at) != kNone);
}

// To the last alternative that remains of this match. False if there is none.
bool ExpressionMatcher::backtrack(size_t base, uint32_t& pc, size_t& at) {
  while (choices_.size() > base && take_steps(1)) {
    Choice& choice = choices_.back();
    const bool is_repeat = choice.left != 0;
    if (is_repeat && !resume(choice)) {
      choices_.pop_back();
      continue;
    }
    at = choice.at;
    pc = choice.pc + is_repeat;
    if (choice.left == 0) choices_.pop_back();
    if (may_match(pc, at)) return true;
  }
  forget_choices(base);
  return false;
}

// One character less, or more if the repetition is lazy. False if there is none.
bool ExpressionMatcher::resume(Choice& choice) {
  const Instruction& repeat = program_[choice.pc];
  if (repeat.operation == Operation::repeat_lazily) {
    if (take(repeat, 1, choice.at) == 0) return false;
  } else {
    choice.at = previous_character(text_, choice.at);
  }
  --choice.left;
  return true;
}

SplitExpression::FirstSet SplitExpression::first_of(const CharacterClass& one) const {
  return {
      .ascii = {one.ascii_bits(0), one.ascii_bits(1)}, .beyond_ascii = one.kinds_beyond_ascii(), .end_of_text = false};
}

// What may come first from an instruction on, or more than that: what may match nothing may be followed by anything.
SplitExpression::FirstSet SplitExpression::first_of(const Instruction& instruction, const FirstSet* rest) const {
  constexpr FirstSet kAnything = {
      .ascii = {UINT64_MAX, UINT64_MAX}, .beyond_ascii = character_kind::kAll, .end_of_text = true};
  const auto with = [](FirstSet first, const FirstSet& other) {
    first.ascii[0] |= other.ascii[0];
    first.ascii[1] |= other.ascii[1];
    first.beyond_ascii |= other.beyond_ascii;
    first.end_of_text |= other.end_of_text;
    return first;
  };
  if (instruction.offset < 0) return kAnything;
  switch (instruction.operation) {
    case Operation::repeat:
    case Operation::repeat_lazily:
    case Operation::possess: {
      const FirstSet first = first_of(classes_[instruction.class_index]);
      return instruction.least == 0 ? with(first, rest[1]) : first;
    }
    case Operation::fork:
    case Operation::fork_away:
      return with(rest[1], rest[instruction.offset]);
    case Operation::match:
    case Operation::atomic:
      return kAnything;
    default:
      return rest[instruction.offset];
  }
}

void SplitExpression::prepare() {
  first_.resize(program_.size());
  for (size_t pc = program_.size(); pc-- != 0;) {
    Instruction& instruction = program_[pc];
    first_[pc] = first_of(instruction, &first_[pc]);
    // Where what follows begins with none of the repeated characters, it is of no use to give any back.
    const bool is_run = instruction.operation == Operation::repeat;
    if (is_run && !first_[pc + 1].overlaps(first_of(classes_[instruction.class_index]))) {
      instruction.operation = Operation::possess;
    }
    // Nor is it at the end, since as many as possible are wanted.
    if (is_run && program_[pc + 1].operation == Operation::match) instruction.operation = Operation::possess;
  }
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
  const bool is_run = begin.operation == Operation::repeat || begin.operation == Operation::possess;
  begins_with_run_ = branches_.size() == 1 && is_run && begin.least == 1 && begin.most == UINT32_MAX;
}

// Where a run leads to no match, no part of it does: without this, \s+$ would take quadratic time.
size_t SplitExpression::next_begin(std::string_view text, size_t at, const ExpressionMatcher& matcher) const {
  size_t next = at;
  if (begins_with_run_) {
    const CharacterClass& run = classes_[program_[0].class_index];
    for (size_t end = at; (end = matcher.after(run, end)) != ExpressionMatcher::kNone;) next = end;
  }
  return next != at ? next : next_character(text, at);
}

// The next character at `at` or after it with which a branch may begin; the branches that may.
uint32_t SplitExpression::next_branches(std::string_view text, size_t& at, const CharacterKinds& kinds) const {
  while (at < text.size()) {
    const auto byte = static_cast<uint8_t>(text[at]);
    if (byte < 0x80) {
      if (by_ascii_[byte] != 0) return by_ascii_[byte];
      ++at;
      continue;
    }
    const DecodedCodePoint decoded = decode_valid_utf8(text, at);
    const uint32_t branches = by_kind_[static_cast<size_t>(std::countr_zero(kinds.of(decoded.code_point)))];
    if (branches != 0) return branches;
    at += decoded.bytes;
  }
  return 0;
}

std::optional<SplitExpression::Match> SplitExpression::find(std::string_view text, const std::optional<Match>& last,
                                                            Search& search) const {
  ExpressionMatcher matcher(*this, text, search);
  for (size_t at = last ? last->end : 0;; at = next_begin(text, at, matcher)) {
    uint32_t branches = next_branches(text, at, search.kinds_);
    if (branches == 0) return std::nullopt;
    for (; branches != 0; branches &= branches - 1) {
      const size_t end = matcher.match(branches_[static_cast<size_t>(std::countr_zero(branches))], at);
      if (end == ExpressionMatcher::kNone) continue;
      if (last && end == last->end) break;
      return Match{.begin = at, .end = end};
    }
  }
}

}  // namespace quintet
