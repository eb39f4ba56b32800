#include "grammar/json_schema/schema_node.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/decimal.h"
#include "grammar/json_schema/schema_keywords.h"

namespace quintet::grammar {
namespace {

constexpr size_t kMaxParts = 1000;

}  // namespace

SchemaPart below(const SchemaPart& part, std::string_view keyword, const Json& json) {
  return {.json = &json, .place = place_below(part.place, keyword)};
}

SchemaReader::SchemaReader(const Json& root) : references_(root), null_(Json::object()), string_(Json::object()) {
  null_.set("type", "null");
  string_.set("type", "string");
}

Result<Schema> SchemaReader::read(const SchemaNode& node) const {
  Schema schema;
  SchemaNode left(node.rbegin(), node.rend());
  std::vector<std::pair<const Json*, SchemaPart::Followed>> seen;
  while (!left.empty()) {
    const SchemaPart part = std::move(left.back());
    left.pop_back();
    // Reading a schema twice adds nothing; so a schema may refer to itself.
    const auto key = std::pair(part.json, part.followed);
    if (std::ranges::find(seen, key) != seen.end()) continue;
    seen.push_back(key);
    if (seen.size() > kMaxParts) {
      return input_error(Reason::limit, "JSON schema: too many schemas apply at once at {}", shown_place(part.place));
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
    return input_error(Reason::malformed, "JSON schema: {} is neither an object nor a boolean",
                       shown_place(part.place));
  }
  // OpenAPI defines it. Next to `type` it is one more type; next to a reference, as zod writes it, the choice of null.
  const bool nullable = part.json->get("nullable").as_bool().value_or(false) && !part.json->find("type");
  if (nullable && part.followed == SchemaPart::kNothing) {
    SchemaPart other = part;
    other.followed = SchemaPart::kNullable;
    schema.choices.push_back({{.json = &null_, .place = part.place}, std::move(other)});
    return {};
  }
  bool says = false;
  for (const Json::Member& member : *members) {
    QUINTET_CHECK(read_keyword(part, member, schema, says));
    if (part.followed == SchemaPart::kReferences) continue;
    if (member.name == "$ref") {
      QUINTET_TRY(const PlacedJson target, references_.find(*part.json, part.place, member.value));
      left.push_back({.json = target.json, .place = target.place});
    } else if (member.name == "allOf" || member.name == "anyOf" || member.name == "oneOf") {
      QUINTET_CHECK(check_list(part, member.name, member.value));
      SchemaNode list;
      const std::string below = place_below(part.place, member.name);
      for (size_t i = 0; i < member.value.as_array()->size(); ++i) {
        list.push_back({.json = &(*member.value.as_array())[i], .place = place_below(below, write_natural(i))});
      }
      if (member.name == "allOf") {
        left.insert(left.end(), list.rbegin(), list.rend());
      } else {
        schema.choices.push_back(std::move(list));
      }
    }
  }
  SchemaPart own = part;
  own.followed = SchemaPart::kReferences;
  const auto has_any = [&](std::initializer_list<std::string_view> keywords) {
    return std::ranges::any_of(keywords, [&](std::string_view keyword) { return part.json->find(keyword); });
  };
  if (has_any({"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"})) {
    schema.objects.push_back(own);
  }
  if (has_any({"items", "prefixItems"})) schema.arrays.push_back(own);
  if (const Json* names = part.json->find("propertyNames"))
    schema.names.push_back(below(part, "propertyNames", *names));
  if (says) schema.parts.push_back(std::move(own));
  return {};
}

Result<SchemaNode> SchemaReader::resolved(SchemaNode node) const {
  constexpr int kMaxHops = 100;
  for (int hop = 0; hop < kMaxHops; ++hop) {
    const bool alone = node.size() == 1 && node[0].followed == SchemaPart::kNothing;
    const Json* reference = alone ? node[0].json->find("$ref") : nullptr;
    if (!reference) break;
    constexpr std::array<std::string_view, 9> kSayNothing = {
        "$ref", "title", "description", "default", "examples", "$defs", "definitions", "$comment", "$schema"};
    const bool only = std::ranges::all_of(*node[0].json->as_object(), [&](const Json::Member& member) {
      return std::ranges::find(kSayNothing, member.name) != kSayNothing.end();
    });
    if (!only) break;
    QUINTET_TRY(const PlacedJson target, references_.find(*node[0].json, node[0].place, *reference));
    node[0] = {.json = target.json, .place = target.place};
  }
  return node;
}

}  // namespace quintet::grammar
