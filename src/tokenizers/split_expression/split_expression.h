#pragma once
// Regular expressions that split text into words, as tokenizer.json has them, in the dialect of Oniguruma's Ruby
// syntax. The features that tokenizers use are supported:
// - characters and classes: [a-z], [^…], one within another, &&, ., \s, \d, \w and their opposites
// - \p{…} and \P{…}: L, Lu, Ll, Lt, Lm, Lo, M, N, Nd, P, S and Han, and P8 (character_class_parser.cc)
// - ?, *, + and {m,n} after them and after groups, also lazy and possessive
// - (…), (?:…), (?i:…), (?i), (?>…), alternatives
// - (?=…), (?!…), and (?<=…), (?<!…) for texts of one length; ^, $, \A, \z, \Z, \b and \B
// A group that is repeated without a limit must not be able to match nothing. Matches are found by
// expression_matcher.h.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizers/split_expression/character_class.h"

namespace quintet {

class ExpressionMatcher;

class SplitExpression {
 public:
  // UNSUPPORTED, with the position in the expression, if it is invalid or has something else.
  static Result<SplitExpression> compile(std::string_view expression);

  struct Match {
    size_t begin, end;
  };

 private:
  friend class ExpressionParser;
  friend class ExpressionMatcher;

  enum class Operation : uint8_t {
    repeat,         // from `min` to `max` characters of a class, as many as possible
    repeat_lazily,  // as few as possible
    possess,        // as many as possible, without giving any back
    fork,           // continues with the next instruction and, if that does not lead to a match, at `offset`
    fork_away,      // continues at `offset` and, if that does not lead to a match, with the next instruction
    jump,           // continues at `offset`
    atomic,       // the next instructions, up to their `match`, are matched without alternatives; continues at `offset`
    look,         // they must match here
    look_not,     // they must not
    look_behind,  // they must match `min` characters before
    look_behind_not,  // they must not
    begin_of_line,    // at the begin of the text, or after a line feed that does not end it
    end_of_line,      // at the end of the text, or before a line feed
    begin_of_text,
    end_of_text,
    end_of_last_line,  // at the end of the text, or before a line feed that ends it
    word_boundary,     // between a character of a class and another one
    no_word_boundary,
    match,
  };
  static bool is_fork(Operation one) { return one == Operation::fork || one == Operation::fork_away; }
  // Every jump back is in a loop whose rounds take at least one character.
  struct Instruction {
    Operation operation = Operation::match;
    uint16_t index = 0;  // index of its class; number of a fork
    uint32_t min = 1, max = 1;
    int32_t offset = 1;  // distance to where it continues
  };
  // The characters that may come first.
  struct FirstSet {
    uint64_t ascii[2];
    uint16_t beyond_ascii;  // kinds
    bool end_of_text;

    bool contains(uint8_t byte) const { return byte < 0x80 ? ascii[byte / 64] >> (byte % 64) & 1 : beyond_ascii != 0; }
    bool overlaps(const FirstSet& other) const {
      return (ascii[0] & other.ascii[0]) || (ascii[1] & other.ascii[1]) || (beyond_ascii & other.beyond_ascii);
    }
  };

  // `rest`: those of the instruction itself, to be found, and of the ones after it.
  FirstSet first_of(const Instruction& instruction, const FirstSet* rest) const;
  FirstSet first_of(const CharacterClass& one) const;
  void prepare();
  uint32_t next_branches(std::string_view text, size_t& at, const CharacterKinds& kinds) const;

  std::string source_;
  std::vector<CharacterClass> classes_;
  std::vector<Instruction> program_;
  std::vector<FirstSet> first_;  // how a match begins from each instruction on: it spares most attempts
  uint16_t forks_ = 0;
  std::vector<uint32_t> branches_;  // where the alternatives begin in it, at most 32
  // Bits of the branches that a character may begin.
  std::array<uint32_t, 0x80> by_ascii_ = {};
  std::array<uint32_t, character_kind::kKinds> by_kind_ = {};  // beyond ASCII
};

}  // namespace quintet
