#pragma once
// Regular languages, with intersection and complement: for look-ahead, and for combinations of keywords.
//
// A language is a union of clauses, each an intersection of atoms: "a character of this set, then that language", "the
// end", or "not that language". The rest after a character is again such a union (derivatives: Brzozowski 1964,
// doi:10.1145/321239.321249), so the states of a deterministic automaton come into being as they are looked for. Equal
// unions have the same number.

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/pair_sets.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

using Language = uint32_t;

class Languages {
 public:
  static constexpr Language kNone = 0;   // no text
  static constexpr Language kAll = 1;    // every text
  static constexpr Language kEmpty = 2;  // the empty text

  Languages();

  Language step(CharacterSet set, Language next);
  Language either(Language a, Language b);
  Language both(Language a, Language b);
  Language other(Language a);
  // One that is defined later, for loops. Its definition must not begin with itself: without() removes that.
  Language later();
  void define(Language later, Language meaning);
  Language without(Language a, Language later);

  bool has_empty(Language a);
  // The texts that may follow the character.
  Language after(Language a, char32_t character);
  bool has(Language a, std::string_view text);
  // The characters from which on `a` continues differently than from those before.
  std::vector<char32_t> cuts(Language a);

  // Whether it took more work than is allowed: then nothing that it returned counts.
  bool full() const { return work_ > kMaxWork; }

 private:
  static constexpr uint64_t kMaxWork = uint64_t{1} << 22;

  Language number_of(std::vector<Pair>& clauses);
  Language atom(Pair atom);
  void add_cuts(Language a, std::vector<char32_t>& cuts);

  PairSets clauses_;    // of atoms
  PairSets languages_;  // of clauses
  std::vector<CharacterSet> sets_;
  std::map<std::vector<uint32_t>, uint32_t> set_numbers_;
  std::vector<Language> meanings_;  // of those that were defined later
  uint64_t work_ = 0;
};

// A state of the automaton of a language.
struct LanguageState {
  struct Move {
    CharacterSet set;
    uint32_t to = 0;
  };

  bool may_end = false;
  bool any_text = false;  // anything may follow
  std::vector<Move> moves = {};
};

// The states from which the end can be reached, with the first at the beginning; none if the language has no text.
// INPUT if there are more than kMaxLanguageStates, or if it took too much work to find them.
constexpr size_t kMaxLanguageStates = 6000;
Result<std::vector<LanguageState>> states_of(Languages& languages, Language start);

}  // namespace quintet::grammar
