#include "grammar/json_schema/value_texts.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "grammar/json_schema/gbnf_text.h"
#include "grammar/json_schema/language.h"
#include "grammar/json_schema/schema_keywords.h"
#include "grammar/json_schema/string_patterns.h"

namespace quintet::grammar {
namespace {

bool has_length(const Schema& schema, const std::string& text) {
  const size_t length = count_characters(text);
  return length >= schema.min_length && length <= schema.max_length;
}

bool within(const Schema& schema, double number) {
  const auto& [min, max] = std::pair(schema.min, schema.max);
  if (min && (number < min->value || (number == min->value && min->exclusive))) return false;
  return !max || number < max->value || (number == max->value && !max->exclusive);
}

bool same(const Json& a, const Json& b) {
  return a.as_double() && b.as_double() ? *a.as_double() == *b.as_double() : write_json(a) == write_json(b);
}

bool are_different(const Json::Array& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (same(items[i], items[j])) return false;
    }
  }
  return true;
}

bool validates(const Schema& schema, const Json::Array& list) {
  const bool counts = list.size() >= schema.min_items && list.size() <= schema.max_items;
  return counts && (!schema.unique_items || are_different(list));
}

bool validates(const Schema& schema, const Json& value) {
  if ((schema.types & type_of(value)) == 0) return false;
  if (std::ranges::any_of(schema.excluded, [&](const Json& each) { return same(each, value); })) return false;
  if (const auto number = value.as_double()) return within(schema, *number);
  if (const std::string* text = value.as_string()) return has_length(schema, *text);
  if (const Json::Array* list = value.as_array()) return validates(schema, *list);
  const Json::Object* members = value.as_object();
  return !members || (members->size() >= schema.min_properties && members->size() <= schema.max_properties);
}

}  // namespace

// Whole numbers have up to 16 digits and exponents end where a double does, so that JSON parsers can read the number.
std::string_view common_rules() {
  return R"gbnf(value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" space (string space ":" space value ("," space string space ":" space value)*)? space "}"
array ::= "[" space (value ("," space value)*)? space "]"
string ::= "\"" string-end
string-end ::= char* "\""
char ::= [^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})
short-char ::= [^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" ([0-9a-cefA-CEF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2}))
number ::= "-"? (whole ("." [0-9]{1,16})? exponent? | "0" ("." "0"{1,16})? [eE] [+]? [0-9]{3})
integer ::= "-"? whole
whole ::= "0" | [1-9] [0-9]{0,15}
exponent ::= [eE] ("-" [0-9]{1,3} | "+"? ([0-9]{1,2} | [01] [0-9]{2} | "2" [0-8] [0-9]))
space ::= | " " | "\n"{1,2} [ \t]{0,20}
)gbnf";
}

Result<std::string> values_gbnf(const Schema& schema, std::string_view place) {
  std::string text;
  Languages languages;
  QUINTET_TRY(const std::vector<Pattern> patterns, string_patterns(schema, place));
  QUINTET_TRY(const Language strings, language_of_all(languages, patterns, kUnbounded, place));
  for (const Json& value : *schema.values) {
    if (!validates(schema, value)) continue;
    // These would need a validator.
    const bool array = value.as_array() && !schema.arrays.empty();
    const bool object =
        value.as_object() && (!schema.objects.empty() || !schema.required.empty() || !schema.names.empty());
    if (array || object || (value.as_double() && !schema.divisors.empty())) {
      return unsupported_error(
          "JSON schema: enum or const at {} beside properties, items or multipleOf is not supported",
          shown_place(place));
    }
    const std::string* string = value.as_string();
    if (string && !languages.has(strings, *string)) continue;
    text += (text.empty() ? "" : " | ") + quoted(write_json(value));
  }
  if (languages.full()) {
    return input_error(Reason::limit, "JSON schema: it takes too long to match the values at {}", shown_place(place));
  }
  return text;
}

}  // namespace quintet::grammar
