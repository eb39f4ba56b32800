#pragma once
// A grammar as its author wrote it: rules, each a tree of expressions.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace quintet::grammar {

// Code points from `first` to `last`.
struct CodeRange {
  char32_t first = 0;
  char32_t last = 0;

  bool operator==(const CodeRange&) const = default;
};

// Ascending ranges that neither overlap nor touch, without surrogates.
using CharacterSet = std::vector<CodeRange>;

// Sorts and joins ranges, and drops code points that no text can have: surrogates, and those beyond U+10FFFF.
CharacterSet normalized(std::vector<CodeRange> ranges);
// All other characters.
CharacterSet complement(const CharacterSet& set);
bool contains(const CharacterSet& set, char32_t character);

constexpr uint32_t kUnbounded = std::numeric_limits<uint32_t>::max();

// The maximum depth of nested expressions: code that follows them recurses.
constexpr int kMaxNesting = 100;

struct Expression {
  enum class Kind : uint8_t {
    literal,     // `text`
    characters,  // one of `set`
    rule,        // rule `index`
    token,       // the token `index` of Syntax::tokens or, if `negated`, any other
    sequence,    // all `parts`, in order; none: the empty text
    choice,      // one of `parts`
    repeat,      // parts[0], `min` to `max` times
  };

  Kind kind = Kind::sequence;
  bool negated = false;
  uint32_t index = 0;
  uint32_t min = 0;
  uint32_t max = 0;
  std::string text = {};
  CharacterSet set = {};
  std::vector<Expression> parts = {};
};

struct Rule {
  std::string name;
  Expression body;
};

// A token of a vocabulary that the grammar names: by its id, or by its text if `id` is kUnbounded.
struct TokenName {
  uint32_t id = kUnbounded;
  std::string text = {};
};

struct Syntax {
  std::vector<Rule> rules;
  size_t root = 0;
  std::vector<TokenName> tokens;
};

}  // namespace quintet::grammar
