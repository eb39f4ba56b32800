#pragma once
// Grammars for values without parts: strings, numbers, and those of enum and const.

#include <string>
#include <string_view>

#include "base/result.h"
#include "grammar/json_schema/schema_node.h"

namespace quintet::grammar {

// The rules that all grammars for JSON share.
std::string_view common_rules();
// Expressions of GBNF. `place` is for errors. That of values_gbnf is empty if none of the values validates.
Result<std::string> string_gbnf(const Schema& schema, std::string_view place);
Result<std::string> bounded_number_gbnf(const Schema& schema, bool integers, std::string_view place);
Result<std::string> values_gbnf(const Schema& schema, std::string_view place);

}  // namespace quintet::grammar
