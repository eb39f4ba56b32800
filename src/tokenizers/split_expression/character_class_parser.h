#pragma once
// The part of a regular expression that stands for one character.

#include "tokenizers/split_expression/character_class.h"
#include "tokenizers/split_expression/expression_cursor.h"

namespace quintet {

// A character, an escape, "." or a class in brackets. Requires that the cursor is not at the end. Fails for what
// split_expression.h does not name, and for letters beyond ASCII whose case is to be ignored.
CharacterClass parse_character_class(ExpressionCursor& cursor, bool ignore_case);

// \w, and what \b takes for a word. Outside brackets Oniguruma has six numbers and fractions of Latin-1 more.
CharacterClass word_characters(bool in_brackets);

}  // namespace quintet
