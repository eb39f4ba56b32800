#include "grammar/json_schema/object_keywords.h"

#include <algorithm>
#include <array>
#include <utility>

#include "grammar/json_schema/pattern_language.h"
#include "grammar/json_schema/schema_keywords.h"
#include "grammar/json_schema/string_patterns.h"

namespace quintet::grammar {
namespace {

// Names are distinguished by all combinations of the patterns that they match.
constexpr size_t kMaxPatterns = 5;

}  // namespace

Status ObjectKeywords::read(std::string_view place) {
  const auto add_name = [&](const std::string& each) {
    if (std::ranges::find(names_, each) == names_.end()) names_.push_back(each);
  };
  bool open = false;
  for (const SchemaPart& part : schema_.objects) {
    if (const Json* properties = part.json->find("properties")) {
      for (const Json::Member& member : *properties->as_object()) add_name(member.name);
    }
    QUINTET_CHECK(read_patterns(part, place));
    open = open || part.json->find("additionalProperties") || part.json->find("unevaluatedProperties");
  }
  closed_ = !open && (!names_.empty() || !patterns_.empty());
  if (!schema_.names.empty()) {
    QUINTET_TRY(Schema names, reader_.read(schema_.names));
    if (names.values && names.choices.empty()) {
      // Treated as if they were listed in `properties`.
      listed_.emplace();
      for (const Json& each : *names.values) {
        const std::string* name = each.as_string();
        if (name && listed_->insert(*name).second && !closed_) add_name(*name);
      }
      names.values.reset();
    }
    QUINTET_TRY(allowed_, allowed(languages_, names, kUnbounded, schema_.names[0].place));
  }
  for (const std::string& each : schema_.required) add_name(each);
  return {};
}

Status ObjectKeywords::read_patterns(const SchemaPart& part, std::string_view place) {
  const Json* patterns = part.json->find("patternProperties");
  if (!patterns) return {};
  const std::string below = place_below(part.place, "patternProperties");
  for (const auto& [text, value] : *patterns->as_object()) {
    if (patterns_.size() == kMaxPatterns) {
      return input_error(Reason::limit, "JSON schema: more than {} patternProperties at {}", kMaxPatterns,
                         shown_place(place));
    }
    auto pattern = parse_pattern(text);
    if (!pattern) return placed(failure_of(std::move(pattern)), below);
    auto language = language_of(languages_, *pattern);
    if (!language) return placed(failure_of(std::move(language)), below);
    const SchemaPart schema = {.json = &value, .place = place_below(below, text)};
    patterns_.push_back({*std::move(pattern), *language, schema, part.json});
  }
  return {};
}

Result<Language> ObjectKeywords::allowed(Languages& languages, const SchemaNode& names, uint32_t longest,
                                         std::string_view place) const {
  QUINTET_TRY(const Schema schema, reader_.read(names));
  return allowed(languages, schema, longest, names.empty() ? place : names[0].place);
}

// The names that propertyNames allows: of anyOf any, of everything else all.
Result<Language> ObjectKeywords::allowed(Languages& languages, const Schema& schema, uint32_t longest,
                                         std::string_view place) const {
  if (schema.never || (schema.types & kString) == 0) return Languages::kNone;
  Language all = Languages::kAll;
  for (const auto& choice : schema.choices) {
    Language any = Languages::kNone;
    for (const SchemaPart& each : choice) {
      QUINTET_TRY(const Language one, allowed(languages, {each}, longest, place));
      any = languages.either(any, one);
    }
    all = languages.both(all, any);
  }
  QUINTET_TRY(const Language strings, string_language(languages, schema, longest, place));
  all = languages.both(all, strings);
  if (!schema.values) return all;
  Language listed = Languages::kNone;
  for (const Json& each : *schema.values) {
    if (!each.as_string()) continue;
    QUINTET_TRY(const Language one, language_of(languages, whole_text(*each.as_string())));
    listed = languages.either(listed, one);
  }
  return languages.both(all, listed);
}

bool ObjectKeywords::allows(const std::string& name) {
  return (!listed_ || listed_->contains(name)) && languages_.has(allowed_, name);
}

SchemaNode ObjectKeywords::node_of(const std::string& name) {
  uint32_t matched = 0;
  for (size_t i = 0; i < patterns_.size(); ++i) {
    if (languages_.has(patterns_[i].language, name)) matched |= 1U << i;
  }
  return node_for(&name, matched);
}

std::vector<ObjectKeywords::Others> ObjectKeywords::others() const {
  std::vector<Others> all;
  if (listed_) return all;
  for (uint32_t matched = closed_ ? 1 : 0; matched < 1U << patterns_.size(); ++matched) {
    all.push_back({.node = node_for(nullptr, matched), .matched = matched});
  }
  return all;
}

SchemaNode ObjectKeywords::node_for(const std::string* name, uint32_t matched) const {
  SchemaNode node;
  for (const SchemaPart& part : schema_.objects) {
    const size_t before = node.size();
    const Json* own = name ? part.json->get("properties").find(*name) : nullptr;
    if (own) node.push_back({.json = own, .place = place_below(place_below(part.place, "properties"), *name)});
    for (size_t i = 0; i < patterns_.size(); ++i) {
      if (patterns_[i].owner == part.json && (matched >> i & 1) != 0) node.push_back(patterns_[i].value);
    }
    const Json* others = part.json->find("additionalProperties");
    if (node.size() == before && others) node.push_back(below(part, "additionalProperties", *others));
  }
  std::vector<const Json*> applied;
  for (const SchemaPart& each : node) applied.push_back(each.json);
  for (const SchemaPart& part : schema_.objects) {
    const Json* rest = part.json->find("unevaluatedProperties");
    std::vector<const Json*> seen;
    if (!rest || evaluates(*part.json, part.place, applied, seen)) continue;
    node.push_back(below(part, "unevaluatedProperties", *rest));
  }
  return node;
}

// Whether any of the schemas that apply to a property is in this one, or in one that it includes.
bool ObjectKeywords::evaluates(const Json& schema, std::string_view place, const std::vector<const Json*>& applied,
                               std::vector<const Json*>& seen) const {
  if (std::ranges::find(seen, &schema) != seen.end()) return false;
  seen.push_back(&schema);
  const auto applies = [&](const Json* json) { return std::ranges::find(applied, json) != applied.end(); };
  if (applies(schema.find("additionalProperties"))) return true;
  for (const std::string_view keyword : {"properties", "patternProperties"}) {
    const Json::Object* members = schema.get(keyword).as_object();
    const auto applies_to = [&](const Json::Member& each) { return applies(&each.value); };
    if (members && std::ranges::any_of(*members, applies_to)) return true;
  }
  if (const Json* reference = schema.find("$ref")) {
    const auto target = reader_.references().find(schema, place, *reference);
    if (target && evaluates(*target->json, target->place, applied, seen)) return true;
  }
  for (const std::string_view keyword : {"allOf", "anyOf", "oneOf"}) {
    const Json::Array* list = schema.get(keyword).as_array();
    if (!list) continue;
    for (const Json& each : *list) {
      // anyOf contributes only the alternative that was chosen.
      const auto is_it = [&](const SchemaPart& part) { return part.json == &each; };
      const bool included = keyword == "allOf" || each.find("$ref") || std::ranges::any_of(schema_.objects, is_it);
      if (included && evaluates(each, place, applied, seen)) return true;
    }
  }
  return false;
}

const Pattern* ObjectKeywords::only_pattern(const Others& others) const {
  const bool only = patterns_.size() == 1 && others.matched == 1 && names_.empty() && schema_.names.empty();
  return only ? &patterns_[0].pattern : nullptr;
}

Result<Language> ObjectKeywords::names_of(Languages& languages, const Others& others, uint32_t longest,
                                          std::string_view place) const {
  QUINTET_TRY(Language all, allowed(languages, schema_.names, longest, place));
  for (size_t i = 0; i < patterns_.size(); ++i) {
    const bool matches = (others.matched >> i & 1) != 0;
    QUINTET_TRY(const Language one, language_of(languages, patterns_[i].pattern, matches ? longest : kUnbounded));
    all = languages.both(all, matches ? one : languages.other(one));
  }
  Language listed = Languages::kNone;
  for (const std::string& each : names_) {
    QUINTET_TRY(const Language one, language_of(languages, whole_text(each)));
    listed = languages.either(listed, one);
  }
  return languages.both(all, languages.other(listed));
}

}  // namespace quintet::grammar
