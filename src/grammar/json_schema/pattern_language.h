#pragma once
// Patterns as languages.

#include "base/result.h"
#include "grammar/json_schema/language.h"
#include "grammar/json_schema/pattern.h"

namespace quintet::grammar {

// The texts in which the pattern matches something. Repetitions of more than `longest` times are left out where that
// only narrows the language, but nowhere else. UNSUPPORTED for a ^ that may or may not be at the beginning.
Result<Language> language_of(Languages& languages, const Pattern& pattern, uint32_t longest = kUnbounded);

}  // namespace quintet::grammar
