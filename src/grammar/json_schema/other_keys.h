#pragma once
// Names of properties that a schema does not list.

#include <span>
#include <string>

namespace quintet::grammar {

// An expression of GBNF for JSON strings, with quotation marks, that are not among these, however their characters are
// escaped. The common beginning of a string and a name is written as it is. Uses the rule `string-end`.
std::string other_keys(std::span<const std::string> names);

}  // namespace quintet::grammar
