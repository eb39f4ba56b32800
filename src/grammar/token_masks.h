#pragma once
// Which tokens of a vocabulary may come next.
//
// What a rule allows by itself does not depend on what called it, so for a set of states it is found once, for the
// whole vocabulary ("context-independent tokens": Dong et al. 2024, XGrammar, arXiv:2411.15100). Only tokens in which
// the rule ends are looked at again, from there on, with what follows it.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "grammar/plain_tokens.h"
#include "grammar/recognizer.h"
#include "grammar/vocabulary.h"

namespace quintet::grammar {

class TokenMasks {
 public:
  // Both must outlive it.
  TokenMasks(const Automaton& automaton, const Vocabulary& vocabulary);

  // The tokens that may follow, among them the vocabulary's stops if the text may end. Valid until the next call.
  std::span<const uint32_t> mask(Position position);
  // Where a token with these bytes leads.
  Position after(Position position, uint32_t token, std::string_view bytes);

  Recognizer& recognizer() { return recognizer_; }
  // Forgets what it knows of positions, for Recognizer::forget_others().
  void forget_positions() {
    masks_.clear();
    runs_.clear();
  }
  // For each token that the grammar names, its id in the vocabulary.
  void set_named(std::vector<uint32_t> ids) { named_ = std::move(ids); }

 private:
  // What a set of states allows within its rule.
  struct Local {
    std::vector<uint32_t> few;    // ids, or
    Mask many;                    // the same as a mask, whichever is smaller
    std::vector<uint32_t> exits;  // nodes in whose bytes the rule ends
  };

  // Where nothing but the number of characters counts: in a text of any number of them, or of so many at most.
  struct Run {
    Kinds kinds = kBroken;  // characters of these lead to `next`; kBroken: not known yet
    Position next = 0;
    uint32_t characters = 0;  // that may follow one another, if they are of these kinds
    bool ends = false;        // after which none of these kinds follows
    bool exits = false;       // after some of which the text may end
  };

  bool add_of_text(Position position, Mask& mask);
  // Of the threads with the same stack, one stack after another.
  void add_by_stacks(Position position, Mask& mask);
  const Local& local(std::span<const Pair> threads);
  // Walks the tree below a node, from a position after its bytes. `exits`: nodes where the text may end.
  void walk(uint32_t node, Position position, Mask& mask, std::vector<uint32_t>* exits);
  // Adds the tokens of a node. Returns whether those below it must be looked at; otherwise they are added or dead.
  bool visit(uint32_t node, Mask& mask, std::vector<uint32_t>* exits);
  void add_tokens(uint32_t begin, uint32_t end, Mask& mask) const;
  const Run& run(Position position);
  const Run& step_of(Position position);
  Kinds leading_beyond_ascii(Position position, Position next);
  bool leads_on(Position position, int continuations, Position next);
  bool follows(Position position, Kinds kinds);
  void add_named(Position position, Mask& mask) const;

  const Vocabulary& vocabulary_;
  const Automaton& automaton_;
  Recognizer recognizer_;
  PlainTokens plain_;
  std::vector<uint32_t> named_;
  PairSets sets_;                               // of states, each with Recognizer::kBottom
  std::vector<std::unique_ptr<Local>> locals_;  // of each set
  size_t local_words_ = 0;                      // that they take
  std::map<Position, Mask> masks_;              // of recent positions
  std::vector<Position> path_;                  // of walk(): the position after each byte
  std::vector<Run> runs_;                       // of each position
  Mask scratch_;
  // One byte of each class, by what it may be.
  std::vector<std::pair<Kinds, uint8_t>> ascii_;
  std::array<std::vector<uint8_t>, 256> seconds_;  // continuations after a lead; those after a continuation at 0
  std::vector<uint8_t> leads_;
};

}  // namespace quintet::grammar
