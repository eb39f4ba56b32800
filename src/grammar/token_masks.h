#pragma once
// The tokens of a vocabulary that may come next.
//
// The tokens that a rule allows by itself do not depend on its caller, so for a set of states they are found once, for
// the whole vocabulary ("context-independent tokens": Dong et al. 2024, XGrammar, arXiv:2411.15100). Only tokens in
// which the rule ends are looked at again, from there on, with what follows it.

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
#include "grammar/text_runs.h"
#include "grammar/vocabulary.h"

namespace quintet::grammar {

class TokenMasks {
 public:
  // Both must outlive it.
  TokenMasks(const Automaton& automaton, const Vocabulary& vocabulary);

  // The tokens that may follow, among them the vocabulary's stops if the text may end. Valid until the next call.
  std::span<const uint32_t> mask(Position position);
  // The state to which a token with these bytes leads.
  Position after(Position position, uint32_t token, std::string_view bytes);

  Recognizer& recognizer() { return recognizer_; }
  // Drops cached facts about positions, for Recognizer::forget_others().
  void forget_positions() {
    masks_.clear();
    runs_.forget_positions();
  }
  // For each token that the grammar names, its id in the vocabulary.
  void set_named(std::vector<uint32_t> ids) { named_ = std::move(ids); }

 private:
  // The tokens that a set of states allows within its rule.
  struct Local {
    std::vector<uint32_t> few;    // ids, or
    Mask many;                    // the same as a mask, whichever is smaller
    std::vector<uint32_t> exits;  // nodes in whose bytes the rule ends
  };

  bool add_of_text(Position position, Mask& mask);
  // Adds the tokens of all threads, grouped by stack.
  void add_by_stacks(Position position, Mask& mask);
  // `exits`: whether to look for them.
  const Local& local(std::span<const State> states, bool exits);
  // Walks the tree below a node, from a position after its bytes. `exits`: nodes where the text may end.
  void walk(uint32_t node, Position position, Mask& mask, std::vector<uint32_t>* exits);
  // Adds the tokens of a node. Returns whether those below it must be looked at; otherwise they are added or dead.
  bool visit(uint32_t node, Mask& mask, std::vector<uint32_t>* exits);
  void add_tokens(uint32_t begin, uint32_t end, Mask& mask) const;
  void add_named(Position position, Mask& mask) const;

  const Vocabulary& vocabulary_;
  const Automaton& automaton_;
  Recognizer recognizer_;
  TextRuns runs_;
  PlainTokens plain_;
  std::vector<uint32_t> named_;
  PairSets sets_;                               // of states, each with 1 if exits are looked for
  std::vector<std::unique_ptr<Local>> locals_;  // of each set
  size_t local_words_ = 0;                      // that they take
  std::map<Position, Mask> masks_;              // of recent positions
  std::vector<Position> path_;                  // of walk(): the position after each byte
  Mask scratch_;
};

}  // namespace quintet::grammar
