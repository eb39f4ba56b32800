#pragma once
// Finds the matches of a split expression in a text by backtracking, as the reference does: the first
// alternative that leads to a match wins. The alternatives that remain are on a stack, which a match leaves as it was.
//
// Backtracking takes quadratic time, or worse, where several attempts come to the same place: \d{1,3}(?=(?:\d{3})*\b)
// looks for the end of a number from each of its groups. What follows an instruction at some position does not depend
// on how matching came there. So once a text has taken more steps than most do, it is remembered where forks and
// repetitions led to nothing, and in groups that look around where they led to a match (Davis, Servant and Lee, "Using
// Selective Memoization to Defeat Regular Expression Denial of Service", 2021).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizers/split_expression/split_expression.h"

namespace quintet {

// The limit of steps, in one text or several, and memory that is reused.
class ExpressionSearch {
 public:
  // A text is an error if its expression would take more.
  static uint64_t max_steps(size_t bytes) { return 4096 + 256 * uint64_t{bytes}; }

  explicit ExpressionSearch(uint64_t steps) : steps_(steps) {}

  // INPUT with the expression and the place in the text if the steps did not suffice. Then no more matches were found.
  const Status& status() const { return status_; }

 private:
  friend class ExpressionMatcher;

  // The place where matching continues if an attempt fails: at the other way of a fork, or after a repetition that
  // gives a character back, or takes one more if it is lazy. There is nothing left once `at` is `limit`.
  struct Choice {
    uint32_t pc;
    size_t at, limit;
  };
  CharacterKinds kinds_;
  uint64_t steps_;
  std::vector<Choice> choices_;
  Status status_;
};

class ExpressionMatcher {
 public:
  using Match = SplitExpression::Match;

  // All must outlive it. Requires valid UTF-8.
  ExpressionMatcher(const SplitExpression& expression, std::string_view text, ExpressionSearch& search);

  // Returns the first match after the last one. An empty match does not follow another one directly.
  std::optional<Match> next();

 private:
  using Operation = SplitExpression::Operation;
  using Instruction = SplitExpression::Instruction;
  using Choice = ExpressionSearch::Choice;

  static constexpr size_t kNone = SIZE_MAX;

  // Positions from `begin` to `end`; at first none.
  struct Range {
    size_t begin = 1, end = 0;
    bool contains(size_t at) const { return begin <= at && at <= end; }
  };
  struct Repetition {
    Range run;     // characters of its class
    Range failed;  // where what follows it does not match
  };
  enum Outcome : uint8_t { unknown, fails, leads };

  size_t match(uint32_t pc, size_t at, bool is_look);
  size_t after(const CharacterClass& wanted, size_t at) const;
  uint32_t take(const Instruction& repeat, uint32_t max, size_t& at);
  size_t run_end(uint32_t pc, size_t at);
  bool advance(uint32_t& pc, size_t& at);
  bool step_repeat(uint32_t pc, size_t& at);
  bool pass_failed(uint32_t pc, size_t& at, size_t limit) const;
  bool step_fork(uint32_t& pc, size_t at);
  bool look(uint32_t pc, size_t at);
  bool holds(const Instruction& instruction, size_t at) const;
  bool is_word_boundary(const CharacterClass& word, size_t at) const;
  bool backtrack(size_t base, uint32_t& pc, size_t& at);
  bool resume(Choice& choice, uint32_t& pc);

  bool take_steps(uint64_t count) {
    search_.steps_ = search_.steps_ < count ? 0 : search_.steps_ - count;
    return search_.steps_ != 0;
  }
  bool may_match(uint32_t pc, size_t at) const {
    const SplitExpression::FirstSet& first = expression_.first_[pc];
    return at == text_.size() ? first.end_of_text : first.contains(static_cast<uint8_t>(text_[at]));
  }
  void add_choice(Choice choice);
  void forget_choices(size_t base);
  bool remembers() const { return !repetitions_.empty(); }
  void begin_to_remember();
  Outcome outcome_of(uint16_t fork, size_t at) const;
  void remember(uint16_t fork, size_t at, Outcome outcome);
  void remember_failed(Range& failed, size_t at) const;

  const SplitExpression& expression_;
  const std::vector<Instruction>& program_;
  const std::vector<CharacterClass>& classes_;
  std::string_view text_;
  ExpressionSearch& search_;
  std::optional<Match> last_;
  uint64_t patience_;                    // steps until it is remembered what happened
  uint64_t remember_below_ = 0;          // steps that are left then
  std::vector<Repetition> repetitions_;  // indexed by instruction; empty until then
  std::vector<uint8_t> outcomes_;        // two bits for each fork at each position
};

}  // namespace quintet
