#pragma once
// Numbers that are multiples of another.

#include "base/result.h"
#include "grammar/json_schema/language.h"

namespace quintet::grammar {

// Their decimal texts, with no exponent and no more digits after the point than the divisor has. They have at most 15
// digits, which doubles keep apart; fewer for large divisors, of which the automaton would be too large. INPUT for a
// divisor of too many digits.
Result<Language> multiples_of(Languages& languages, double divisor);

}  // namespace quintet::grammar
