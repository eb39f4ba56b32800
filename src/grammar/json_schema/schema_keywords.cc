#include "grammar/json_schema/schema_keywords.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace quintet::grammar {
namespace {

struct TypeName {
  std::string_view name;
  uint8_t types;
};
constexpr std::array<TypeName, 7> kTypeNames = {{{"null", kNull},
                                                 {"boolean", kBoolean},
                                                 {"string", kString},
                                                 {"integer", kInteger},
                                                 {"number", kInteger | kFraction},
                                                 {"array", kArray},
                                                 {"object", kObject}}};

std::optional<uint8_t> types_named(const Json& name) {
  const std::string* text = name.as_string();
  for (const TypeName& each : kTypeNames) {
    if (text && *text == each.name) return each.types;
  }
  return std::nullopt;
}

std::optional<uint8_t> types_of(const Json& value) {
  if (!value.as_array()) return types_named(value);
  uint8_t types = 0;
  for (const Json& each : *value.as_array()) {
    const auto named = types_named(each);
    if (!named) return std::nullopt;
    types |= *named;
  }
  return types;
}

// Keywords that limit a value in ways that a grammar cannot follow, or that are not written yet.
constexpr std::array<std::string_view, 11> kUnsupported = {
    "if",          "dependentRequired", "dependentSchemas", "dependencies",   "contains",        "minContains",
    "maxContains", "$dynamicRef",       "$recursiveRef",    "$dynamicAnchor", "unevaluatedItems"};

Status read_count(const SchemaPart& part, std::string_view keyword, const Json& value, uint32_t& count, bool largest) {
  const auto number = value.as_double();
  if (!number || *number < 0 || *number != std::floor(*number)) return wrong_value(part, keyword, "a whole number");
  const auto bounded = static_cast<uint32_t>(std::min(*number, double{kUnbounded - 1}));
  count = largest ? std::max(count, bounded) : std::min(count, bounded);
  return {};
}

Status read_bound(const SchemaPart& part, std::string_view keyword, const Json& value,
                  std::optional<NumberBound>& bound) {
  const bool min = keyword == "minimum" || keyword == "exclusiveMinimum";
  bool exclusive = keyword.starts_with("exclusive");
  // Until draft 4 these were flags of minimum and maximum.
  if (exclusive && value.as_bool()) return {};
  exclusive = exclusive || part.json->get(min ? "exclusiveMinimum" : "exclusiveMaximum").as_bool() == true;
  const auto number = value.as_double();
  if (!number) return wrong_value(part, keyword, "a number");
  const NumberBound given = {.value = *number, .exclusive = exclusive};
  const bool stricter = !bound || (min ? given.value > bound->value : given.value < bound->value) ||
                        (given.value == bound->value && given.exclusive);
  if (stricter) bound = given;
  return {};
}

Status read_text(const SchemaPart& part, std::string_view keyword, const Json& value, std::vector<std::string>& texts) {
  const std::string* given = value.as_string();
  if (!given) return wrong_value(part, keyword, "a text");
  if (std::ranges::find(texts, *given) == texts.end()) texts.push_back(*given);
  return {};
}

Status read_values(const SchemaPart& part, std::string_view keyword, const Json& value, Schema& schema) {
  std::vector<Json> given;
  if (keyword == "const") {
    given.push_back(value);
  } else if (const Json::Array* list = value.as_array()) {
    given = *list;
  } else {
    return wrong_value(part, keyword, "a list");
  }
  if (schema.values) {
    std::erase_if(*schema.values, [&](const Json& each) {
      return std::ranges::none_of(given, [&](const Json& other) { return write_json(each) == write_json(other); });
    });
  } else {
    schema.values = std::move(given);
  }
  return {};
}

Status read_required(const SchemaPart& part, const Json& value, std::vector<std::string>& required) {
  const Json::Array* names = value.as_array();
  if (!names) return wrong_value(part, "required", "a list of names");
  for (const Json& name : *names) {
    const std::string* text = name.as_string();
    if (!text) return wrong_value(part, "required", "a list of names");
    if (std::ranges::find(required, *text) == required.end()) required.push_back(*text);
  }
  return {};
}

Status check_properties(const SchemaPart& part, std::string_view keyword, const Json& value) {
  const Json::Object* members = value.as_object();
  const auto schema = [](const Json::Member& each) { return is_schema(each.value); };
  if (!members || !std::ranges::all_of(*members, schema)) return wrong_value(part, keyword, "an object of schemas");
  return {};
}

bool says_nothing(const Json::Member& member) {
  constexpr std::array<std::string_view, 9> kAnnotations = {
      "title", "description", "default", "examples", "example", "$comment", "deprecated", "readOnly", "writeOnly"};
  return std::ranges::find(kAnnotations, member.name) != kAnnotations.end() || member.name.starts_with("x-");
}

// `not` may exclude everything, types, or values.
Status read_not(const SchemaPart& part, const Json& value, Schema& schema) {
  if (!is_schema(value)) return wrong_value(part, "not", "a schema");
  if (value.as_bool()) {
    schema.never = schema.never || *value.as_bool();
    return {};
  }
  std::optional<uint8_t> types;
  const Json* values = nullptr;
  bool one = false;
  for (const auto& [name, limit] : *value.as_object()) {
    if (name == "type") {
      types = types_of(limit);
      if (!types) return wrong_value(below(part, "not", value), name, "a type or a list of types");
    } else if ((name == "enum" && limit.as_array()) || name == "const") {
      if (values) return cannot_keep(part, "not", ", of enum and const at once,");
      values = &limit;
      one = name == "const";
    } else if (!says_nothing({name, limit})) {
      return cannot_keep(part, "not", ", other than of types, enum or const,");
    }
  }
  if (!types && !values) schema.never = true;
  if (types && !values) schema.types &= static_cast<uint8_t>(~*types);
  if (!values) return {};
  for (const Json& each : one ? std::span(values, 1) : std::span(*values->as_array())) {
    if (each.as_array() || each.as_object()) return cannot_keep(part, "not", ", of a list or an object,");
    if (!types || (*types & type_of(each)) != 0) schema.excluded.push_back(each);
  }
  return {};
}

}  // namespace

uint8_t type_of(const Json& value) {
  if (value.is_null()) return kNull;
  if (value.as_bool()) return kBoolean;
  if (value.as_string()) return kString;
  if (value.as_array()) return kArray;
  if (value.as_object()) return kObject;
  const double number = *value.as_double();
  return number == std::floor(number) ? kInteger : kFraction;
}

Failure wrong_value(const SchemaPart& part, std::string_view keyword, std::string_view expected) {
  const Json* value = part.json->find(keyword);
  std::string shown = value ? write_json(*value) : "";
  if (shown.size() > 60) shown = shown.substr(0, 60) + "...";
  return input_error(Reason::malformed, "JSON schema: {} at {} is not {}: {}", keyword, shown_place(part.place),
                     expected, shown);
}

Failure cannot_keep(const SchemaPart& part, std::string_view keyword, std::string_view why) {
  return unsupported_error("JSON schema: the keyword {} at {}{} is not supported", keyword, shown_place(part.place),
                           why);
}

Status check_list(const SchemaPart& part, std::string_view keyword, const Json& value) {
  const Json::Array* list = value.as_array();
  const bool schemas = list && !list->empty() && std::ranges::all_of(*list, is_schema);
  if (!schemas) return wrong_value(part, keyword, "a list of schemas");
  return {};
}

// The keywords of one schema that limit a value by themselves.
Status read_keyword(const SchemaPart& part, const Json::Member& member, Schema& schema, bool& says) {
  const auto& [name, value] = member;
  const auto about = [&](uint8_t types) {
    schema.mentioned |= types;
    says = true;
  };
  if (name == "type") {
    auto types = types_of(value);
    if (!types) return wrong_value(part, name, "a type or a list of types");
    if (part.json->get("nullable").as_bool() == true) *types |= kNull;  // of OpenAPI
    schema.types &= *types;
    schema.typed = says = true;
    return {};
  }
  if (name == "enum" || name == "const") {
    says = true;
    return read_values(part, name, value, schema);
  }
  if (name == "minimum" || name == "exclusiveMinimum") {
    about(kInteger | kFraction);
    return read_bound(part, name, value, schema.min);
  }
  if (name == "maximum" || name == "exclusiveMaximum") {
    about(kInteger | kFraction);
    return read_bound(part, name, value, schema.max);
  }
  if (name == "multipleOf") {
    const double divisor = value.as_double().value_or(0);
    if (divisor <= 0) return wrong_value(part, name, "a number above 0");
    about(kInteger | kFraction);
    if (divisor == std::floor(divisor)) schema.types &= static_cast<uint8_t>(~kFraction);
    if (divisor != 1) schema.divisors.push_back(divisor);
    return {};
  }
  if (name == "not") {
    says = true;
    return read_not(part, value, schema);
  }
  if (name == "minLength" || name == "maxLength") {
    about(kString);
    return read_count(part, name, value, name[1] == 'i' ? schema.min_length : schema.max_length, name[1] == 'i');
  }
  if (name == "pattern") {
    about(kString);
    return read_text(part, name, value, schema.patterns);
  }
  if (name == "format") {
    const std::string* format = value.as_string();
    // OpenAPI defines these. Numbers that are written fit the others: whole ones have at most 16 digits.
    const bool whole = format && (*format == "int32" || *format == "int64");
    if (whole || (format && (*format == "float" || *format == "double"))) {
      about(whole ? kInteger : kInteger | kFraction);
      if (whole) schema.types &= static_cast<uint8_t>(~kFraction);
      if (*format != "int32") return {};
      QUINTET_CHECK(read_bound(part, "minimum", Json(-0x1p31), schema.min));
      return read_bound(part, "maximum", Json(0x1p31 - 1), schema.max);
    }
    about(kString);
    return read_text(part, name, value, schema.formats);
  }
  if (name == "minItems" || name == "maxItems") {
    about(kArray);
    schema.has_min_items = schema.has_min_items || name == "minItems";
    return read_count(part, name, value, name[1] == 'i' ? schema.min_items : schema.max_items, name[1] == 'i');
  }
  if (name == "minProperties" || name == "maxProperties") {
    about(kObject);
    return read_count(part, name, value, name[1] == 'i' ? schema.min_properties : schema.max_properties,
                      name[1] == 'i');
  }
  if (name == "uniqueItems") {
    if (!value.as_bool()) return wrong_value(part, name, "true or false");
    about(kArray);
    schema.unique_items = schema.unique_items || *value.as_bool();
    return {};
  }
  if (name == "required") {
    about(kObject);
    return read_required(part, value, schema.required);
  }
  if (name == "properties" || name == "patternProperties") {
    about(kObject);
    return check_properties(part, name, value);
  }
  if (name == "additionalProperties" || name == "unevaluatedProperties" || name == "propertyNames") {
    about(kObject);
    return is_schema(value) ? Status() : wrong_value(part, name, "a schema");
  }
  if (name == "items" && value.as_array()) {
    // Before 2020-12, a list had the place of prefixItems.
    about(kArray);
    return value.as_array()->empty() ? Status() : check_list(part, name, value);
  }
  if (name == "items" || name == "additionalItems") {
    about(kArray);
    return is_schema(value) ? Status() : wrong_value(part, name, "a schema");
  }
  if (name == "prefixItems") {
    about(kArray);
    // Empty, as zod writes it for a tuple without items.
    const Json::Array* items = value.as_array();
    return items && items->empty() ? Status() : check_list(part, name, value);
  }
  if (std::ranges::find(kUnsupported, name) != kUnsupported.end()) return cannot_keep(part, name);
  return {};
}

}  // namespace quintet::grammar
