#pragma once
// Reads grammars in GBNF, the notation of llama.cpp (grammars/README.md there; src/llama-grammar.cpp decides):
//
//   root   ::= answer ("," ws answer){0,4}    # a rule ends with its line; groups and "|" continue on the next
//   answer ::= "yes" | [Nn] "o" | .           # text, one character of a class, any character
//   ws     ::= [ \t\n]*                       # * + ? {n} {n,} {n,m}
//   tool   ::= <|tool|> !<[1000]>             # a token by its text or id; any but that token
//
// Names have letters, digits and "-". Escapes: \n \r \t \\ \" \[ \] \- \xHH \uHHHH \UHHHHHHHH. Of rules with the same
// name the last counts. Unlike there, an empty class ([]) is an error, and bounds above 2,000 are kept.

#include <string_view>

#include "base/result.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

// INPUT, with an offset, for a text that is not a grammar, and for a grammar without `root`.
Result<Syntax> parse_gbnf(std::string_view text);

}  // namespace quintet::grammar
