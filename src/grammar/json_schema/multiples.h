#pragma once
// Numbers that are multiples of another.

#include "base/result.h"
#include "grammar/json_schema/language.h"

namespace quintet::grammar {

// Their decimal texts of at most 15 digits, which doubles keep apart: with no exponent, and with no more digits after
// the point than the divisor has. INPUT for a divisor of too many digits.
Result<Language> multiples_of(Languages& languages, double divisor);

}  // namespace quintet::grammar
