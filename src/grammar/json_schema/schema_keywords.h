#pragma once
// Reads the keywords of one schema.

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "grammar/json_schema/schema_node.h"

namespace quintet::grammar {

// Adds a keyword that does not depend on others to `schema`; `says` becomes true if it limits values. INPUT for a wrong
// value, UNSUPPORTED for a keyword that cannot be kept.
Status read_keyword(const SchemaPart& part, const Json::Member& member, Schema& schema, bool& says);

inline bool is_schema(const Json& json) { return json.as_object() || json.as_bool(); }
// The type of a value, as a bit.
uint8_t type_of(const Json& value);
Status check_list(const SchemaPart& part, std::string_view keyword, const Json& value);
Failure wrong_value(const SchemaPart& part, std::string_view keyword, std::string_view expected);
Failure cannot_keep(const SchemaPart& part, std::string_view keyword, std::string_view why = "");

}  // namespace quintet::grammar
