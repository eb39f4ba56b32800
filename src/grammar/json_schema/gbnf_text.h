#pragma once
// Pieces of GBNF for the content of JSON strings.

#include <string>
#include <string_view>

#include "grammar/syntax.h"

namespace quintet::grammar {

// A literal for a quotation mark.
constexpr std::string_view kQuote = R"("\"")";
// A literal that matches the text.
std::string quoted(std::string_view text);
// One character of the set as JSON writes it: as it is or, where that is not allowed, escaped. Empty for an empty set.
std::string json_character(const CharacterSet& set);
// The text as JSON writes it, without the quotation marks around it.
std::string json_escaped(std::string_view text);
// The bounds of a repetition: "{least,most}", or shorter.
std::string repetition(uint32_t min, uint32_t max);

}  // namespace quintet::grammar
