#pragma once
// Names of properties that a schema does not list.

#include <span>
#include <string>

namespace quintet::grammar {

// An expression of GBNF for JSON strings, with quotation marks, that are none of these, however their characters are
// escaped. What a string has in common with the beginning of a name is written as it is.
// Uses the rule `string-end`.
std::string other_keys(std::span<const std::string> names);

}  // namespace quintet::grammar
