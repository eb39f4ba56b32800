#pragma once
// Regular expressions that split text into words, as tokenizer.json has them. What tokenizers use is supported:
// characters and classes (\s, \d, \w and their opposites, \p{…} of L, Lu, Ll, Lt, Lm, Lo, M, N, Nd, P and S), ?, *, +
// and {m,n} after them, also possessive, groups, (?i:…), alternatives, (?=…), (?!…) and $.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizers/character_class.h"

namespace quintet {

class ExpressionMatcher;

class SplitExpression {
 public:
  // UNSUPPORTED, with the position in the expression, if it is invalid or has something else.
  static Result<SplitExpression> compile(std::string_view expression);

  struct Match {
    size_t begin, end;
  };
  // The first match that is not empty, at `at` or after it; at the end of the text if there is none. Requires valid
  // UTF-8. `steps` limits the work: when they are used up, the rest of the text does not match.
  Match find(std::string_view text, size_t at, uint64_t& steps) const;

 private:
  friend class ExpressionParser;
  friend class ExpressionMatcher;

  enum class Operation : uint8_t {
    repeat,       // from `least` to `most` characters of a class, as many as possible
    possess,      // likewise, without giving any back
    fork,         // continues with the next instruction and, if that does not lead to a match, at `offset`
    jump,         // continues at `offset`
    look,         // the next instructions, up to their `match`, must match here; continues at `offset`
    look_not,     // must not match
    end_of_line,  // before a line feed or the end of the text
    match,
  };
  // There are no jumps back, so that the number of steps is polynomial in the length of the text.
  struct Instruction {
    Operation operation = Operation::match;
    uint16_t class_index = 0;
    uint32_t least = 1, most = 1;
    uint32_t offset = 1;  // to where it continues, from here
  };
  // What may come first.
  struct FirstSet {
    uint64_t ascii[2];
    uint16_t beyond_ascii;  // kinds
    bool end_of_text;

    bool contains(uint8_t byte) const { return byte < 0x80 ? ascii[byte / 64] >> (byte % 64) & 1 : beyond_ascii != 0; }
  };

  // `rest`: those of the instruction itself, to be found, and of the ones after it.
  FirstSet first_of(const Instruction& instruction, const FirstSet* rest) const;
  void index_branches();
  uint32_t branches_at(std::string_view text, size_t at) const;
  size_t next_begin(std::string_view text, size_t at, const ExpressionMatcher& matcher) const;

  std::vector<CharacterClass> classes_;
  std::vector<Instruction> program_;
  std::vector<FirstSet> first_;     // from each instruction on: it spares most attempts
  std::vector<uint32_t> branches_;  // where the alternatives begin in it, at most 32
  // Bits of the branches that a character may begin.
  std::array<uint32_t, 0x80> by_ascii_ = {};
  std::array<uint32_t, character_kind::kKinds> by_kind_ = {};  // beyond ASCII
  bool begins_with_run_ = false;  // the only branch begins with one or more characters of a class
};

}  // namespace quintet
