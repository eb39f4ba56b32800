#pragma once
// Regular expressions of JSON schemas (ECMA-262 with the flag u) as trees.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

struct Pattern {
  enum class Kind : uint8_t {
    characters,  // one of `set`
    sequence,    // all `parts`, in order; none: the empty text
    choice,      // one of `parts`
    repeat,      // parts[0], `min` to `max` times
    begin,       // ^
    end,         // $
    look,        // parts[0] follows or, if `negated`, does not
  };

  Kind kind = Kind::sequence;
  bool negated = false;
  bool asserts = false;  // it or a part of it matches a place: begin, end, look
  uint32_t min = 1;
  uint32_t max = 1;
  uint32_t shortest = 0;  // of the texts it matches, in characters
  uint32_t longest = 0;
  CharacterSet set = {};
  std::vector<Pattern> parts = {};
  std::string name = {};  // of a group
};

// UNSUPPORTED for what an automaton cannot follow (backreferences) or this one does not (looking behind, boundaries of
// words, most properties of Unicode); INPUT for what is not a regular expression.
Result<Pattern> parse_pattern(std::string_view text);

// Patterns of which parts are made. `one_of`, `all_of`: one of the parts, or all in order.
Pattern characters_of(CharacterSet set);
Pattern sequence_of(std::vector<Pattern> parts);
Pattern repeated(Pattern part, uint32_t min, uint32_t max);
Pattern place_of(Pattern::Kind kind);
// Matches this text as a whole.
Pattern whole_text(std::string_view text);
// Any text of such a number of characters.
Pattern whole_length(uint32_t min, uint32_t max);

}  // namespace quintet::grammar
