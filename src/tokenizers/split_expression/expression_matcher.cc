#include "tokenizers/split_expression/expression_matcher.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/utf8.h"

namespace quintet {
namespace {

// 12 MB. Known expressions leave a few for each character of a match.
constexpr size_t kMaxChoices = size_t{1} << 20;

// Beyond this, the outcomes of forks are not remembered.
constexpr size_t kMaxOutcomeBytes = size_t{1} << 26;

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

ExpressionMatcher::ExpressionMatcher(const SplitExpression& expression, std::string_view text, ExpressionSearch& search)
    : expression_(expression),
      program_(expression.program_),
      classes_(expression.classes_),
      text_(text),
      search_(search),
      patience_(64 + 8 * uint64_t{text.size()}) {}

std::optional<SplitExpression::Match> ExpressionMatcher::next() {
  // Other texts may have taken steps since the last match.
  remember_below_ = search_.steps_ > patience_ ? search_.steps_ - patience_ : 0;
  std::optional<Match> found;
  for (size_t at = last_ ? last_->end : 0; !found; at = next_character(text_, at)) {
    uint32_t branches = expression_.next_branches(text_, at, search_.kinds_);
    if (branches == 0) return std::nullopt;
    for (; branches != 0; branches &= branches - 1) {
      const size_t end = match(expression_.branches_[static_cast<size_t>(std::countr_zero(branches))], at, false);
      if (end == kNone) continue;
      if (!last_ || end != last_->end) found = {.begin = at, .end = end};
      break;
    }
    if (search_.steps_ == 0) {
      search_.status_ =
          input_error(Reason::limit,
                      "the tokenizer's regular expression \"{}\" takes too many steps at byte {} of a text of {} bytes",
                      expression_.source_, at, text_.size());
      return std::nullopt;
    }
  }
  patience_ = search_.steps_ > remember_below_ ? search_.steps_ - remember_below_ : 0;
  return last_ = found;
}

// The end of a match at `at` by the instructions from `pc` on, or kNone. The depth of the recursion is that of groups
// that look around.
size_t ExpressionMatcher::match(uint32_t pc, size_t at, bool is_look) {
  const size_t base = search_.choices_.size();
  while (take_steps(1)) {
    if (program_[pc].operation == Operation::match) {
      // The forks that led here are still on the stack.
      for (size_t i = search_.choices_.size(); is_look && i-- != base;) {
        const Choice& choice = search_.choices_[i];
        const Instruction& instruction = program_[choice.pc];
        if (SplitExpression::is_fork(instruction.operation)) remember(instruction.index, choice.at, leads);
      }
      forget_choices(base);
      return at;
    }
    if (!advance(pc, at) && !backtrack(base, pc, at)) return kNone;
  }
  forget_choices(base);
  return kNone;
}

// The end of the character at `at` if it is in the class, or kNone.
size_t ExpressionMatcher::after(const CharacterClass& wanted, size_t at) const {
  if (at == text_.size()) return kNone;
  const auto byte = static_cast<uint8_t>(text_[at]);
  if (byte < 0x80) return wanted.contains_ascii(byte) ? at + 1 : kNone;
  const auto [c, bytes, valid] = decode_valid_utf8(text_, at);
  return wanted.contains_beyond_ascii(c, search_.kinds_.of(c)) ? at + bytes : kNone;
}

// Consumes as many characters as possible and returns their number.
uint32_t ExpressionMatcher::take(const Instruction& repeat, uint32_t max, size_t& at) {
  const CharacterClass& wanted = classes_[repeat.index];
  uint32_t count = 0;
  for (; count < max; ++count) {
    const size_t next = after(wanted, at);
    if (next == kNone) break;
    at = next;
  }
  take_steps(count);
  return count;
}

// The furthest end of a repetition that has reached its minimum.
size_t ExpressionMatcher::run_end(uint32_t pc, size_t at) {
  const Instruction& repeat = program_[pc];
  if (repeat.max != UINT32_MAX || !remembers()) {
    take(repeat, repeat.max - repeat.min, at);
    return at;
  }
  const CharacterClass& wanted = classes_[repeat.index];
  Range& run = repetitions_[pc].run;
  size_t end = at;
  for (size_t next; !run.contains(end) && (next = after(wanted, end)) != kNone; end = next) take_steps(1);
  if (!run.contains(end)) run = {.begin = at, .end = end};
  run.begin = std::min(run.begin, at);
  return run.end;
}

// Performs one instruction. Returns false if it does not match.
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
    case Operation::fork_away:
      return step_fork(pc, at);
    case Operation::jump:
      break;
    case Operation::atomic: {
      const size_t end = match(pc + 1, at, false);
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
  const bool possesses = instruction.operation == Operation::possess;
  // Most repetitions, and the fastest way.
  if (possesses && !remembers()) return take(instruction, instruction.max, at) >= instruction.min;
  if (take(instruction, instruction.min, at) < instruction.min) return false;
  size_t limit = run_end(pc, at);
  if (search_.steps_ == 0) return false;
  const bool is_lazy = instruction.operation == Operation::repeat_lazily;
  if (!is_lazy) std::swap(at, limit);
  if (possesses) return true;
  if (!pass_failed(pc, at, limit)) return false;
  if (at != limit || remembers()) add_choice({.pc = pc, .at = at, .limit = limit});
  return may_match(pc + 1, at);
}

// Advances to the next position, up to `limit`, where it is not known that what follows a repetition does not match.
// Returns false if there is none.
bool ExpressionMatcher::pass_failed(uint32_t pc, size_t& at, size_t limit) const {
  if (!remembers() || !repetitions_[pc].failed.contains(at)) return true;
  const Range& failed = repetitions_[pc].failed;
  const bool is_lazy = program_[pc].operation == Operation::repeat_lazily;
  if (is_lazy ? failed.end >= limit : failed.begin <= limit) return false;
  at = is_lazy ? next_character(text_, failed.end) : previous_character(text_, failed.begin);
  return true;
}

bool ExpressionMatcher::step_fork(uint32_t& pc, size_t at) {
  const Instruction& fork = program_[pc];
  const uint32_t away = pc + static_cast<uint32_t>(fork.offset);
  const Outcome known = outcome_of(fork.index, at);
  if (known != unknown) {
    pc = static_cast<uint32_t>(program_.size() - 1);  // a match
    return known == leads;
  }
  const bool stays = fork.operation == Operation::fork;
  if (stays && !remembers() && !may_match(pc + 1, at)) {
    pc = away;
    return true;
  }
  add_choice({.pc = pc, .at = at, .limit = kNone});
  pc = stays ? pc + 1 : away;
  return true;
}

bool ExpressionMatcher::look(uint32_t pc, size_t at) {
  const Instruction& instruction = program_[pc];
  const bool behind =
      instruction.operation == Operation::look_behind || instruction.operation == Operation::look_behind_not;
  const bool wanted = instruction.operation == Operation::look || instruction.operation == Operation::look_behind;
  for (uint32_t i = 0; behind && i < instruction.min; ++i) {
    if (at == 0) return !wanted;
    at = previous_character(text_, at);
  }
  return (match(pc + 1, at, true) != kNone) == wanted;
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
      return is_word_boundary(classes_[instruction.index], at) == wanted;
    }
  }
}

bool ExpressionMatcher::is_word_boundary(const CharacterClass& word, size_t at) const {
  const bool before = at != 0 && after(word, previous_character(text_, at)) != kNone;
  return before != (after(word, at) != kNone);
}

// Goes back to the last alternative that remains of this match. Returns false if there is none.
bool ExpressionMatcher::backtrack(size_t base, uint32_t& pc, size_t& at) {
  if (search_.steps_ < remember_below_ && !remembers()) begin_to_remember();
  while (search_.choices_.size() > base && take_steps(1)) {
    Choice& choice = search_.choices_.back();
    const bool resumes = resume(choice, pc);
    at = choice.at;
    // The last way of a choice is only kept to remember where it leads.
    const bool is_last = at == choice.limit && !remembers();
    if (!resumes || is_last) search_.choices_.pop_back();
    if (resumes && may_match(pc, at)) return true;
  }
  forget_choices(base);
  return false;
}

// Continues after the last choice did not match. False if there is no other one.
bool ExpressionMatcher::resume(Choice& choice, uint32_t& pc) {
  const Instruction& instruction = program_[choice.pc];
  const bool is_spent = choice.at == choice.limit;
  if (SplitExpression::is_fork(instruction.operation)) {
    if (is_spent) remember(instruction.index, choice.at, fails);
    choice.limit = choice.at;
    pc = choice.pc + (instruction.operation == Operation::fork ? static_cast<uint32_t>(instruction.offset) : 1);
    return !is_spent;
  }
  if (remembers()) remember_failed(repetitions_[choice.pc].failed, choice.at);
  if (is_spent) return false;
  const bool is_lazy = instruction.operation == Operation::repeat_lazily;
  choice.at = is_lazy ? next_character(text_, choice.at) : previous_character(text_, choice.at);
  pc = choice.pc + 1;
  return pass_failed(choice.pc, choice.at, choice.limit);
}

void ExpressionMatcher::add_choice(Choice choice) {
  if (search_.choices_.size() == kMaxChoices) search_.steps_ = 0;
  search_.choices_.push_back(choice);
}

void ExpressionMatcher::forget_choices(size_t base) {
  search_.choices_.erase(search_.choices_.begin() + static_cast<ptrdiff_t>(base), search_.choices_.end());
}

void ExpressionMatcher::begin_to_remember() {
  repetitions_.resize(program_.size());
  const uint64_t bytes = (text_.size() + uint64_t{1}) * expression_.forks_ / 4 + 1;
  if (bytes <= kMaxOutcomeBytes) outcomes_.resize(static_cast<size_t>(bytes));
}

ExpressionMatcher::Outcome ExpressionMatcher::outcome_of(uint16_t fork, size_t at) const {
  if (outcomes_.empty()) return unknown;
  const size_t i = at * expression_.forks_ + fork;
  return static_cast<Outcome>(outcomes_[i / 4] >> (i % 4 * 2) & 3);
}

void ExpressionMatcher::remember(uint16_t fork, size_t at, Outcome outcome) {
  if (outcomes_.empty()) return;
  const size_t i = at * expression_.forks_ + fork;
  outcomes_[i / 4] |= static_cast<uint8_t>(outcome << (i % 4 * 2));
}

// One range suffices, because attempts come from one side.
void ExpressionMatcher::remember_failed(Range& failed, size_t at) const {
  if (failed.contains(at)) return;
  if (next_character(text_, at) == failed.begin) {
    failed.begin = at;
  } else if (at != 0 && previous_character(text_, at) == failed.end) {
    failed.end = at;
  } else {
    failed = {.begin = at, .end = at};
  }
}

}  // namespace quintet
