#pragma once
// Grammars for values that a schema lists, and the rules that all share.

#include <string>
#include <string_view>

#include "base/result.h"
#include "grammar/json_schema/schema_node.h"

namespace quintet::grammar {

// The rules that all grammars for JSON share.
std::string_view common_rules();
// An expression of GBNF for the values of enum and const that validate; empty if there are none.
Result<std::string> values_gbnf(const Schema& schema, std::string_view place);

}  // namespace quintet::grammar
