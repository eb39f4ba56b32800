#pragma once
// JSON schemas (2020-12) as grammars.
//
// The text is JSON that validates. It need not be all such JSON: properties come in the order of the schema or with the
// required ones first; a schema that lists properties or prefixItems allows no others unless it declares that, and a
// schema without `type` has the types that its keywords are about. oneOf counts as anyOf, and uniqueItems is kept only
// for a few values that the schema lists. Combinations of keywords about a string, and patterns that look ahead, are
// kept exactly or, where that needs too many states, with fewer repetitions.

#include <string>
#include <string_view>

#include "base/result.h"

namespace quintet::grammar {

// The grammar in GBNF. `json`: the schema; `true` stands for any object. INPUT for a value that is not a schema,
// UNSUPPORTED for a keyword that a grammar cannot keep; both name the keyword and its place.
Result<std::string> json_schema_gbnf(std::string_view json);

}  // namespace quintet::grammar
