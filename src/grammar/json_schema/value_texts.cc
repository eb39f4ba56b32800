#include "grammar/json_schema/value_texts.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/utf8.h"
#include "grammar/json_schema/gbnf_text.h"
#include "grammar/json_schema/pattern.h"

namespace quintet::grammar {
namespace {

Failure placed(Error error, std::string_view place) {
  error.detail = "JSON schema: " + error.detail + " at " + shown_place(place);
  return fail(std::move(error));
}

struct Format {
  std::string_view name;
  uint32_t shortest;
  uint32_t longest;
};
constexpr std::array<Format, 5> kFormats = {
    {{"date", 10, 10}, {"time", 9, 24}, {"date-time", 20, 35}, {"uuid", 36, 36}, {"email", 5, 300}}};

bool has_length(const Schema& schema, const std::string& text) {
  const size_t length = count_characters(text);
  return length >= schema.min_length && length <= schema.max_length;
}

bool within(const Schema& schema, double number) {
  const auto& [least, most] = std::pair(schema.least, schema.most);
  if (least && (number < least->value || (number == least->value && least->exclusive))) return false;
  return !most || number < most->value || (number == most->value && !most->exclusive);
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
  const auto has = [&](uint8_t type) { return (schema.types & type) != 0; };
  if (value.is_null()) return has(kNull);
  if (value.as_bool()) return has(kBoolean);
  if (const auto number = value.as_double()) {
    return has(*number == std::floor(*number) ? kInteger : kFraction) && within(schema, *number);
  }
  if (const std::string* text = value.as_string()) return has(kString) && has_length(schema, *text);
  if (const Json::Array* list = value.as_array()) return has(kArray) && validates(schema, *list);
  const size_t members = value.as_object()->size();
  return has(kObject) && members >= schema.min_properties && members <= schema.max_properties;
}

}  // namespace

// Whole numbers have up to 16 digits and exponents end where a double does, so that what is written can be read.
// A year that 4 divides is a leap year, but for centuries that 400 does not.
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
date ::= year "-" (long-month "-" ("0" [1-9] | [12] [0-9] | "3" [01]) | short-month "-" ("0" [1-9] | [12] [0-9] | "30") | "02-" ("0" [1-9] | "1" [0-9] | "2" [0-8])) | leap-year "-02-29"
year ::= [0-9]{4}
long-month ::= "0" [13578] | "1" [02]
short-month ::= "0" [469] | "11"
leap-year ::= [0-9]{2} ("0" [48] | [2468] [048] | [13579] [26]) | ([02468] [048] | [13579] [26]) "00"
time ::= hour-minute ":" [0-5] [0-9] ("." [0-9]{1,9})? ("Z" | [-+] hour-minute)
hour-minute ::= ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9]
date-time ::= date "T" time
uuid ::= [0-9a-fA-F]{8} ("-" [0-9a-fA-F]{4}){3} "-" [0-9a-fA-F]{12}
email ::= atom ("." atom){0,3} "@" (label "."){1,4} label
atom ::= [a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,16}
label ::= [a-zA-Z0-9] ([a-zA-Z0-9-]{0,30} [a-zA-Z0-9])?
)gbnf";
}

Result<std::string> string_gbnf(const Schema& schema, std::string_view place) {
  if (!schema.format.empty()) {
    for (const Format& each : kFormats) {
      if (each.name != schema.format) continue;
      const bool fits = each.shortest >= schema.min_length && each.longest <= schema.max_length;
      if (!schema.pattern.empty() || !fits) {
        return unsupported_error("JSON schema: the keyword format at " + shown_place(place) +
                                 " beside pattern, minLength or maxLength is not supported");
      }
      return "\"\\\"\" " + schema.format + " \"\\\"\"";
    }
    return unsupported_error("JSON schema: the format " + schema.format + " at " + shown_place(place) +
                             " is not supported; date, time, date-time, uuid and email are");
  }
  if (!schema.pattern.empty()) {
    auto text = pattern_gbnf(schema.pattern, schema.min_length, schema.max_length);
    if (!text) return placed(std::move(text).error(), place);
    return text;
  }
  if (schema.min_length == 0 && schema.max_length == kUnbounded) return "string";
  if (schema.min_length > schema.max_length) return "";
  return "\"\\\"\" short-char" + repetition(schema.min_length, schema.max_length) + " \"\\\"\"";
}

Result<std::string> bounded_number_gbnf(const Schema& schema, bool integers, std::string_view place) {
  if (!schema.least && !schema.most) return integers ? "integer" : "number";
  auto text = number_gbnf(schema.least, schema.most, integers);
  if (!text) return placed(std::move(text).error(), place);
  return text;
}

Result<std::string> values_gbnf(const Schema& schema, std::string_view place) {
  std::string text;
  for (const Json& value : *schema.values) {
    if (!validates(schema, value)) continue;
    // These would need a validator.
    const bool string = value.as_string() && (!schema.pattern.empty() || !schema.format.empty());
    const bool array = value.as_array() && !schema.arrays.empty();
    const bool object = value.as_object() && (!schema.objects.empty() || !schema.required.empty());
    if (string || array || object) {
      return unsupported_error("JSON schema: enum or const at " + shown_place(place) +
                               " beside pattern, format, properties or items is not supported");
    }
    text += (text.empty() ? "" : " | ") + quoted(write_json(value));
  }
  return text;
}

}  // namespace quintet::grammar
