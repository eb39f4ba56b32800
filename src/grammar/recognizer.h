#pragma once
// Follows an automaton through a text, byte by byte. A position is the set of all states in which the automaton may be,
// each with a stack of what the rules continue with when they end.
//
// Stacks share what they have in common, and a rule that is called from several states at the same place of the text is
// followed once: its stack then has several continuations (a graph-structured stack: Tomita 1986; the same bound as
// Earley's parser, n^3). Positions and stacks are kept once and known by their numbers, so positions are the states of
// a deterministic automaton that comes into being as it is used.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/flag_list.h"
#include "base/result.h"
#include "grammar/automaton.h"
#include "grammar/pair_sets.h"

namespace quintet::grammar {

using Position = uint32_t;
using Stack = uint32_t;

// The automaton is in `state`; when its rule ends, it continues with any frame of `stack`.
struct Thread {
  State state = 0;
  Stack stack = 0;
};

class Recognizer {
 public:
  // No text leads here.
  static constexpr Position kDead = 0;
  // Below the root: the text may end, and nothing follows.
  static constexpr Stack kBottom = 1;

  // Keeps the automaton, which must outlive it.
  explicit Recognizer(const Automaton& automaton);

  Position start();
  // The position that has exactly these threads, and what follows from them without a byte.
  Position at(std::span<const Thread> threads);
  // The position at which the rules of a stack continue when the topmost one ends.
  Position after(Stack stack);
  Position step(Position position, uint8_t byte);
  // Memoized step(): each position keeps a table of its successors.
  Position next(Position position, uint8_t byte) {
    const Position known = known_next(position, byte);
    return known == kUnknown ? find_next(position, byte) : known;
  }
  // Whether next() only looks it up.
  bool knows_next(Position position, uint8_t byte) const { return known_next(position, byte) != kUnknown; }
  // The successor for a token that is matched as such, not by its bytes. `id`: its id; `ids`: those of the grammar's
  // tokens.
  Position step_token(Position position, uint32_t id, std::span<const uint32_t> ids);

  // The position with the threads of both.
  Position either(Position a, Position b);

  bool may_end(Position position) const { return may_end_[position]; }
  // Pairs of a state and its stack, ascending. Only states that a byte or a token leaves.
  std::span<const Pair> threads(Position position) const {
    const auto all = positions_[position];
    return all.first(all.size() - (may_end(position) ? 1 : 0));
  }

  // Everything it keeps, in pairs and entries of tables.
  size_t kept() const { return positions_.pairs() + stacks_.pairs() + table_.size() / 2; }
  // Drops all but the given positions, whose numbers change.
  void forget_others(std::span<Position* const> positions);
  // INPUT if a position had too many threads, or a text nests too deeply: then it is dead.
  Status status() const { return status_; }

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;
  static constexpr uint32_t kNoRow = UINT32_MAX;

  // A thread that has no state any more: all its rules ended.
  static constexpr State kEnd = UINT32_MAX;

  Position known_next(Position position, uint8_t byte) const {
    const uint32_t row = rows_[position];
    return row == kNoRow ? kUnknown : table_[row + classes_[byte]];
  }
  Position find_next(Position position, uint8_t byte);
  void begin();
  void reach(State state, Stack stack);
  // The position of all threads that were reached since begin().
  Position finish();
  void call(const Call& call, Stack stack);
  void follow_calls();
  Position number_of(std::vector<Pair>& threads);
  void refuse(std::string detail);

  const Automaton& automaton_;
  const uint8_t* classes_;
  PairSets positions_;  // pairs of a state and a stack
  PairSets stacks_;     // pairs of the state that follows and the stack it has
  FlagList may_end_;
  std::vector<uint32_t> rows_;   // of each position, where its row begins in the table
  std::vector<Position> table_;  // [rows, byte classes]
  Status status_;

  // Only to find the next position.
  std::vector<Pair> left_;     // threads to follow
  std::vector<Pair> threads_;  // those that wait for a byte
  PairTable seen_;
  std::vector<std::vector<Pair>> frames_;  // for each rule, what follows the calls of it
  std::vector<Pair> called_;               // a heap of these rules, with their order
};

}  // namespace quintet::grammar
