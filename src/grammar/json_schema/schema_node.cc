#include "grammar/json_schema/schema_node.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace quintet::grammar {
namespace {

constexpr size_t kMaxParts = 1000;

Failure wrong(const SchemaPart& part, std::string_view keyword, std::string_view expected) {
  const Json* value = part.json->find(keyword);
  std::string shown = value ? write_json(*value) : "";
  if (shown.size() > 60) shown = shown.substr(0, 60) + "...";
  return input_error(Reason::malformed, "JSON schema: " + std::string(keyword) + " at " + shown_place(part.place) +
                                            " is not " + std::string(expected) + ": " + shown);
}

Failure cannot_keep(const SchemaPart& part, std::string_view keyword, std::string_view why = "") {
  return unsupported_error("JSON schema: the keyword " + std::string(keyword) + " at " + shown_place(part.place) +
                           std::string(why) + " is not supported");
}

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

bool is_schema(const Json& json) { return json.as_object() || json.as_bool(); }

// Keywords that limit a value in ways that a grammar cannot follow, or that are not written yet.
constexpr std::array<std::string_view, 15> kUnsupported = {"not",
                                                           "if",
                                                           "dependentRequired",
                                                           "dependentSchemas",
                                                           "dependencies",
                                                           "contains",
                                                           "minContains",
                                                           "maxContains",
                                                           "propertyNames",
                                                           "patternProperties",
                                                           "$dynamicRef",
                                                           "$recursiveRef",
                                                           "unevaluatedItems",
                                                           "additionalItems",
                                                           "$dynamicAnchor"};

Status read_count(const SchemaPart& part, std::string_view keyword, const Json& value, uint32_t& count, bool largest) {
  const auto number = value.as_double();
  if (!number || *number < 0 || *number != std::floor(*number)) return wrong(part, keyword, "a whole number");
  const auto bounded = static_cast<uint32_t>(std::min(*number, double{kUnbounded - 1}));
  count = largest ? std::max(count, bounded) : std::min(count, bounded);
  return {};
}

Status read_bound(const SchemaPart& part, std::string_view keyword, const Json& value,
                  std::optional<NumberBound>& bound) {
  const auto number = value.as_double();
  if (!number) return wrong(part, keyword, "a number");
  const NumberBound given = {.value = *number, .exclusive = keyword.starts_with("exclusive")};
  const bool least = keyword == "minimum" || keyword == "exclusiveMinimum";
  const bool stricter = !bound || (least ? given.value > bound->value : given.value < bound->value) ||
                        (given.value == bound->value && given.exclusive);
  if (stricter) bound = given;
  return {};
}

Status read_text(const SchemaPart& part, std::string_view keyword, const Json& value, std::string& text) {
  const std::string* given = value.as_string();
  if (!given) return wrong(part, keyword, "a text");
  if (!text.empty() && text != *given) return cannot_keep(part, keyword, ", beside another one,");
  text = *given;
  return {};
}

Status read_values(const SchemaPart& part, std::string_view keyword, const Json& value, Schema& schema) {
  std::vector<Json> given;
  if (keyword == "const") {
    given.push_back(value);
  } else if (const Json::Array* list = value.as_array()) {
    given = *list;
  } else {
    return wrong(part, keyword, "a list");
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
  if (!names) return wrong(part, "required", "a list of names");
  for (const Json& name : *names) {
    const std::string* text = name.as_string();
    if (!text) return wrong(part, "required", "a list of names");
    if (std::ranges::find(required, *text) == required.end()) required.push_back(*text);
  }
  return {};
}

Status check_properties(const SchemaPart& part, const Json& value) {
  const Json::Object* members = value.as_object();
  if (!members) return wrong(part, "properties", "an object of schemas");
  for (const Json::Member& each : *members) {
    if (!is_schema(each.value)) return wrong(part, "properties", "an object of schemas");
  }
  return {};
}

Status check_list(const SchemaPart& part, std::string_view keyword, const Json& value) {
  const Json::Array* list = value.as_array();
  const bool schemas = list && !list->empty() && std::ranges::all_of(*list, is_schema);
  if (!schemas) return wrong(part, keyword, "a list of schemas");
  return {};
}

// The keywords of one schema that say something about a value by themselves.
Status read_keyword(const SchemaPart& part, const Json::Member& member, Schema& schema, bool& says) {
  const auto& [name, value] = member;
  const auto about = [&](uint8_t types) {
    schema.mentioned |= types;
    says = true;
  };
  if (name == "type") {
    const auto types = types_of(value);
    if (!types) return wrong(part, name, "a type or a list of types");
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
    return read_bound(part, name, value, schema.least);
  }
  if (name == "maximum" || name == "exclusiveMaximum") {
    about(kInteger | kFraction);
    return read_bound(part, name, value, schema.most);
  }
  if (name == "multipleOf") {
    if (value.as_double() != 1) return cannot_keep(part, name, ", other than 1,");
    about(kInteger);
    schema.types &= static_cast<uint8_t>(~kFraction);
    return {};
  }
  if (name == "minLength" || name == "maxLength") {
    about(kString);
    return read_count(part, name, value, name[1] == 'i' ? schema.min_length : schema.max_length, name[1] == 'i');
  }
  if (name == "pattern") {
    about(kString);
    return read_text(part, name, value, schema.pattern);
  }
  if (name == "format") {
    const std::string* format = value.as_string();
    // Of OpenAPI. Numbers that are written fit the others: whole ones have at most 16 digits.
    const bool whole = format && (*format == "int32" || *format == "int64");
    if (whole || (format && (*format == "float" || *format == "double"))) {
      about(whole ? kInteger : kInteger | kFraction);
      if (whole) schema.types &= static_cast<uint8_t>(~kFraction);
      if (*format != "int32") return {};
      QUINTET_CHECK(read_bound(part, "minimum", Json(-0x1p31), schema.least));
      return read_bound(part, "maximum", Json(0x1p31 - 1), schema.most);
    }
    about(kString);
    return read_text(part, name, value, schema.format);
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
    if (!value.as_bool()) return wrong(part, name, "true or false");
    about(kArray);
    schema.unique_items = schema.unique_items || *value.as_bool();
    return {};
  }
  if (name == "$id" && !part.place.empty()) {
    // References below it would begin there.
    const std::string* id = value.as_string();
    return id && id->starts_with('#') ? Status() : cannot_keep(part, name);
  }
  if (name == "required") {
    about(kObject);
    return read_required(part, value, schema.required);
  }
  if (name == "properties") {
    about(kObject);
    return check_properties(part, value);
  }
  if (name == "additionalProperties" || name == "unevaluatedProperties") {
    if (!is_schema(value)) return wrong(part, name, "a schema");
    if (name[0] == 'u' && value.as_bool() != false) return cannot_keep(part, name, ", other than false,");
    about(kObject);
    return {};
  }
  if (name == "items") {
    about(kArray);
    // Before 2020-12, a list had the place of prefixItems.
    return value.as_array() || is_schema(value) ? Status() : wrong(part, name, "a schema");
  }
  if (name == "prefixItems") {
    about(kArray);
    return check_list(part, name, value);
  }
  if (std::ranges::find(kUnsupported, name) != kUnsupported.end()) return cannot_keep(part, name);
  return {};
}

}  // namespace

SchemaPart below(const SchemaPart& part, std::string_view keyword, const Json& json) {
  return {.json = &json, .place = place_below(part.place, keyword)};
}

std::string place_below(std::string_view place, std::string_view name) {
  std::string below(place);
  below += '/';
  for (const char c : name) below += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return below;
}

std::string shown_place(std::string_view place) { return "#" + std::string(place); }

Result<Schema> SchemaReader::read(const SchemaNode& node) const {
  Schema schema;
  SchemaNode left(node.rbegin(), node.rend());
  std::vector<std::pair<const Json*, bool>> seen;
  while (!left.empty()) {
    const SchemaPart part = std::move(left.back());
    left.pop_back();
    // The same schema twice says no more; so a schema may refer to itself.
    const auto key = std::pair(part.json, part.alone);
    if (std::ranges::find(seen, key) != seen.end()) continue;
    seen.push_back(key);
    if (seen.size() > kMaxParts) {
      return input_error(Reason::limit, "JSON schema: too many schemas apply at once at " + shown_place(part.place));
    }
    QUINTET_CHECK(add(part, left, schema));
  }
  return schema;
}

Status SchemaReader::add(const SchemaPart& part, SchemaNode& left, Schema& schema) const {
  if (const auto flag = part.json->as_bool()) {
    schema.never = schema.never || !*flag;
    return {};
  }
  const Json::Object* members = part.json->as_object();
  if (!members) {
    return input_error(Reason::malformed,
                       "JSON schema: " + shown_place(part.place) + " is neither an object nor a boolean");
  }
  bool says = false;
  for (const Json::Member& member : *members) {
    QUINTET_CHECK(read_keyword(part, member, schema, says));
    if (part.alone) continue;
    if (member.name == "$ref") {
      QUINTET_TRY(const Json* target, referred(part, member.value));
      left.push_back({.json = target, .place = member.value.as_string()->substr(1)});
    } else if (member.name == "allOf" || member.name == "anyOf" || member.name == "oneOf") {
      QUINTET_CHECK(check_list(part, member.name, member.value));
      SchemaNode list;
      const std::string below = place_below(part.place, member.name);
      for (size_t i = 0; i < member.value.as_array()->size(); ++i) {
        list.push_back({.json = &(*member.value.as_array())[i], .place = place_below(below, std::to_string(i))});
      }
      if (member.name == "allOf") {
        left.insert(left.end(), list.rbegin(), list.rend());
      } else {
        schema.choices.push_back(std::move(list));
      }
    }
  }
  SchemaPart alone = part;
  alone.alone = true;
  if (part.json->find("properties") || part.json->find("additionalProperties") ||
      part.json->find("unevaluatedProperties")) {
    schema.objects.push_back(alone);
  }
  if (part.json->find("items") || part.json->find("prefixItems")) schema.arrays.push_back(alone);
  if (says) schema.parts.push_back(std::move(alone));
  return {};
}

Result<SchemaNode> SchemaReader::resolved(SchemaNode node) const {
  constexpr int kMaxHops = 100;
  for (int hop = 0; hop < kMaxHops; ++hop) {
    const Json* reference = node.size() == 1 && !node[0].alone ? node[0].json->find("$ref") : nullptr;
    if (!reference) break;
    constexpr std::array<std::string_view, 9> kSayNothing = {
        "$ref", "title", "description", "default", "examples", "$defs", "definitions", "$comment", "$schema"};
    const bool only = std::ranges::all_of(*node[0].json->as_object(), [&](const Json::Member& member) {
      return std::ranges::find(kSayNothing, member.name) != kSayNothing.end();
    });
    if (!only) break;
    QUINTET_TRY(const Json* target, referred(node[0], *reference));
    node[0] = {.json = target, .place = reference->as_string()->substr(1)};
  }
  return node;
}

// Pointers within the document (RFC 6901, as a fragment).
Result<const Json*> SchemaReader::referred(const SchemaPart& part, const Json& reference) const {
  const std::string* text = reference.as_string();
  if (!text) return wrong(part, "$ref", "a text");
  const bool pointer = *text == "#" || text->starts_with("#/");
  if (!pointer) return cannot_keep(part, "$ref", ", to \"" + *text + "\" outside of the schema,");
  const Json* at = &root_;
  for (size_t begin = 1; begin < text->size();) {
    const size_t end = std::min(text->find('/', begin + 1), text->size());
    std::string name;
    for (size_t i = begin + 1; i < end; ++i) {
      const char c = (*text)[i];
      const auto hex = [](char digit) { return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10; };
      if (c == '~' && i + 1 < end) {
        name += (*text)[++i] == '1' ? '/' : '~';
      } else if (c == '%' && i + 2 < end) {
        name += static_cast<char>(hex((*text)[i + 1]) * 16 + hex((*text)[i + 2]));
        i += 2;
      } else {
        name += c;
      }
    }
    if (const Json::Array* list = at->as_array()) {
      const bool number = !name.empty() && name.size() < 8 && name.find_first_not_of("0123456789") == std::string::npos;
      const size_t index = number ? std::stoul(name) : list->size();
      at = index < list->size() ? &(*list)[index] : nullptr;
    } else {
      at = at->find(name);
    }
    if (!at) return wrong(part, "$ref", "the place of a schema");
    begin = end;
  }
  if (!is_schema(*at)) return wrong(part, "$ref", "the place of a schema");
  return at;
}

}  // namespace quintet::grammar
