#include "grammar/json_schema/references.h"

#include "base/decimal.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace quintet::grammar {
namespace {

// An $id in one with another (RFC 3986, section 5, as far as names of schemas need it).
std::string within(std::string_view base, std::string_view id) {
  if (id.empty()) return std::string(base);
  if (id.find(':') != std::string_view::npos) return std::string(id);
  return formatted("{}{}", base.substr(0, base.rfind('/') + 1), id);
}

// A name in a JSON pointer (RFC 6901, as a fragment).
std::string member_name(std::string_view text) {
  std::string name;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto hex = [](char digit) { return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10; };
    if (text[i] == '~' && i + 1 < text.size()) {
      name += text[++i] == '1' ? '/' : '~';
    } else if (text[i] == '%' && i + 2 < text.size()) {
      name += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      name += text[i];
    }
  }
  return name;
}

const Json* member_of(const Json& json, const std::string& name) {
  const Json::Array* list = json.as_array();
  if (!list) return json.find(name);
  const bool number = !name.empty() && name.size() < 8 && name.find_first_not_of("0123456789") == std::string::npos;
  const size_t index = number ? std::stoul(name) : list->size();
  return index < list->size() ? &(*list)[index] : nullptr;
}

PlacedJson pointed(PlacedJson at, std::string_view pointer) {
  at.place += pointer;
  while (at.json && !pointer.empty()) {
    const size_t end = std::min(pointer.find('/', 1), pointer.size());
    at.json = member_of(*at.json, member_name(pointer.substr(1, end - 1)));
    pointer.remove_prefix(end);
  }
  return at;
}

}  // namespace

References::References(const Json& root) {
  named_[""] = {.json = &root};
  collect({.json = &root}, "");
}

// Recurses as deep as the JSON nests.
void References::collect(const PlacedJson& at, const std::string& base) {
  if (const Json::Array* list = at.json->as_array()) {
    for (size_t i = 0; i < list->size(); ++i) {
      collect({.json = &(*list)[i], .place = place_below(at.place, write_natural(i))}, base);
    }
  }
  const Json::Object* members = at.json->as_object();
  if (!members) return;
  const std::string* id = at.json->get("$id").as_string();
  if (!id) id = at.json->get("id").as_string();  // of draft 4
  std::string own = base;
  if (id && id->starts_with('#')) {
    named_.try_emplace(base + *id, at);
  } else if (id) {
    own = within(base, id->ends_with('#') ? id->substr(0, id->size() - 1) : *id);
    named_.try_emplace(own, at);
  }
  if (const std::string* anchor = at.json->get("$anchor").as_string())
    named_.try_emplace(formatted("{}#{}", own, *anchor), at);
  if (at.json->find("$ref") && !own.empty()) bases_[at.json] = own;
  for (const auto& [name, value] : *members) {
    constexpr std::array<std::string_view, 4> kValues = {"enum", "const", "default", "examples"};
    const bool has_schemas = value.as_array() || value.as_object();
    if (!has_schemas || std::ranges::find(kValues, name) != kValues.end()) continue;
    constexpr std::array<std::string_view, 5> kBySchemaName = {"properties", "patternProperties", "$defs",
                                                               "definitions", "dependentSchemas"};
    const PlacedJson below = {.json = &value, .place = place_below(at.place, name)};
    if (std::ranges::find(kBySchemaName, name) == kBySchemaName.end() || !value.as_object()) {
      collect(below, own);
      continue;
    }
    for (const auto& [each, schema] : *value.as_object()) {
      collect({.json = &schema, .place = place_below(below.place, each)}, own);
    }
  }
}

Result<PlacedJson> References::find(const Json& schema, std::string_view place, const Json& reference) const {
  const std::string* text = reference.as_string();
  const auto known = bases_.find(&schema);
  const std::string base = known == bases_.end() ? "" : known->second;
  PlacedJson found;
  if (text) {
    const size_t hash = std::min(text->find('#'), text->size());
    const std::string document = within(base, std::string_view(*text).substr(0, hash));
    const std::string_view fragment = std::string_view(*text).substr(std::min(hash + 1, text->size()));
    const bool pointer = fragment.empty() || fragment[0] == '/';
    const auto named = named_.find(pointer ? document : formatted("{}#{}", document, fragment));
    if (named != named_.end()) {
      found = pointer ? pointed(named->second, fragment) : named->second;
    } else if (!named_.contains(document)) {
      return unsupported_error("JSON schema: $ref at {} to {}, which no $id of the schema is, is not supported",
                               shown_place(place), write_json(reference));
    }
  }
  if (found.json && (found.json->as_object() || found.json->as_bool())) return found;
  return input_error(Reason::malformed, "JSON schema: $ref at {} is not the place of a schema: {}", shown_place(place),
                     write_json(reference));
}

std::string place_below(std::string_view place, std::string_view name) {
  std::string below(place);
  below += '/';
  for (const char c : name) {
    if (c == '~' || c == '/') {
      below += c == '~' ? "~0" : "~1";
    } else {
      below += c;
    }
  }
  return below;
}

std::string shown_place(std::string_view place) { return formatted("#{}", place); }

}  // namespace quintet::grammar
