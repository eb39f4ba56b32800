#pragma once
// Regular expressions of JSON schemas (ECMA-262 with the flag u, as far as an automaton can follow them): what a string
// may be as JSON.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

// Expressions of GBNF for the strings, without quotation marks, that a pattern matches and whose length in characters
// is from `least` to `most`. UNSUPPORTED for assertions other than ^ at the beginning and $ at the end, for
// backreferences, for properties of Unicode, and for bounds that the pattern does not keep by itself, unless it repeats
// a single character; INPUT for what is no regular expression.
Result<std::string> pattern_gbnf(std::string_view pattern, uint32_t least, uint32_t most);

}  // namespace quintet::grammar
