#pragma once
// Patterns in GBNF, as far as it expresses them directly.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "grammar/json_schema/pattern.h"

namespace quintet::grammar {

// Adds a rule, unless there is one with this body, and returns its name: for groups that have a name or are repeated,
// so that the automaton has them only once.
using AddRule = std::function<std::string(std::string_view wanted, std::string body)>;

// An expression for the JSON strings, with quotation marks, in which the pattern matches something and whose length in
// characters is from `min` to `max`. Nothing for a pattern that looks ahead, that has ^ or $ elsewhere than at its
// beginning or end, or that does not keep the bounds by itself, unless it repeats a single character.
std::optional<std::string> string_pattern_gbnf(const Pattern& pattern, uint32_t min, uint32_t max,
                                               const AddRule& add_rule);

// An expression for the text itself. Requires a pattern without places.
std::string pattern_gbnf(const Pattern& pattern, const AddRule& add_rule);

}  // namespace quintet::grammar
