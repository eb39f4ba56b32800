#pragma once
// Properties of Unicode that the patterns of emoji need; the tables of all others would be larger than the rest.

#include <optional>
#include <string_view>

#include "grammar/syntax.h"

namespace quintet::grammar {

// The characters of \p{name}; nothing if the name is not known here.
std::optional<CharacterSet> unicode_set(std::string_view name);

}  // namespace quintet::grammar
