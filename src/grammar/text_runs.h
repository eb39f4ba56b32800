#pragma once
// Finds positions where only the number of characters counts: in free text, of unbounded or bounded length.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grammar/automaton.h"
#include "grammar/recognizer.h"
#include "grammar/vocabulary.h"

namespace quintet::grammar {

// Text that may follow a position: `characters` of these kinds, whichever they are and in any order.
struct TextRun {
  Kinds kinds = 0;
  uint32_t characters = 0;  // kUnbounded: any number
  bool ends = false;        // after that many characters, none of these kinds follows
};

class TextRuns {
 public:
  // Both must outlive it.
  TextRuns(const Automaton& automaton, Recognizer& recognizer);

  // Before the first question about a mask, of which each is limited in how far it looks.
  void begin_mask();
  // The run at a position whose characters all lead to the same position.
  const TextRun& at(Position position);
  // The widest run, whose characters may lead to different positions if this is not text. Expensive: cache it.
  TextRun widest_at(Position position);
  // Drops cached facts about positions, for Recognizer::forget_others().
  void forget_positions() { known_.clear(); }

 private:
  struct Known {
    bool has_step = false;
    bool has_run = false;
    Kinds step = 0;  // all characters of these kinds lead to `next`
    Position next = 0;
    TextRun run;
  };

  // Dead when there was too much work.
  Position next(Position position, uint8_t byte);
  Known& known(Position position);
  const Known& step_of(Position position);
  Position commonest_next(Position position);
  TextRun run_of(Position position);
  TextRun branching_run_of(Position position, Kinds kinds);
  Kinds with_others_alike(Position position, Kinds kinds);
  bool follows(Position position, Kinds kinds);
  // These add where characters of some kinds lead. They return false if one leads nowhere, or if there are too
  // many in all.
  bool add_next(Position position, Kinds kinds, std::vector<Position>& all);
  bool add_each_next(Position position, Kinds kinds, std::vector<Position>& all);

  Recognizer& recognizer_;
  std::vector<Known> known_;  // of each position
  const Known unknown_ = {};
  size_t work_left_ = 0;
  // One byte of each class, by what it may be.
  std::vector<std::pair<Kinds, uint8_t>> ascii_;
  std::array<std::vector<uint8_t>, 256> seconds_;  // continuations after a lead; those after a continuation at 0
  std::vector<uint8_t> leads_;
};

}  // namespace quintet::grammar
