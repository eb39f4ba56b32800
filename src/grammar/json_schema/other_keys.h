#pragma once
// Names of properties that a schema does not list.

#include <span>
#include <string>

namespace quintet::grammar {

// An expression of GBNF for all JSON strings, with quotation marks, but these: however their characters are escaped.
// Uses the rule `string-end`.
std::string other_keys(std::span<const std::string> names);

}  // namespace quintet::grammar
