#pragma once
// Combines the keywords of strings.

#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/json_schema/language.h"
#include "grammar/json_schema/pattern.h"
#include "grammar/json_schema/schema_node.h"

namespace quintet::grammar {

// The patterns of a schema and of its formats. UNSUPPORTED for an unknown format; together with a pattern or enum it is
// only a name.
Result<std::vector<Pattern>> string_patterns(const Schema& schema, std::string_view place);

// The texts in which all patterns match; `longest` is that of language_of().
Result<Language> language_of_all(Languages& languages, const std::vector<Pattern>& patterns, uint32_t longest,
                                 std::string_view place);

// The texts that all keywords of strings allow; enum is handled elsewhere.
Result<Language> string_language(Languages& languages, const Schema& schema, uint32_t longest, std::string_view place);

// The error with the place of a schema.
Failure placed(Failure failure, std::string_view place);

}  // namespace quintet::grammar
