#include "formats/known_fields.h"

#include <algorithm>
#include <string>

namespace quintet {
namespace {

bool matches(std::string_view text, std::string_view entry) {
  const bool is_open_begin = entry.starts_with('*'), is_open_end = entry.size() > 1 && entry.ends_with('*');
  if (is_open_begin) entry.remove_prefix(1);
  if (is_open_end) entry.remove_suffix(1);
  if (is_open_begin && is_open_end) return text.find(entry) != text.npos;
  if (is_open_begin) return text.ends_with(entry);
  return is_open_end ? text.starts_with(entry) : text == entry;
}

}  // namespace

bool is_listed(std::string_view text, std::string_view list) {
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(' '));
    if (matches(text, entry)) return true;
    list.remove_prefix(std::min(list.size(), entry.size() + 1));
  }
  return false;
}

bool is_off(const Json& value) {
  if (const std::string* text = value.as_string()) return text->empty();
  if (const Json::Array* list = value.as_array()) return list->empty();
  if (const Json::Object* object = value.as_object()) return object->empty();
  return value.is_null() || value.as_bool() == false || value.as_double() == 0;
}

bool is_as_fixed(const Json* value, std::string_view values) {
  if (!value || value->is_null()) return true;
  std::string text = write_json(*value);
  if (value->as_double() && text.ends_with(".0")) text.resize(text.size() - 2);
  return is_listed(text, values);
}

Status check_fixed(const FixedField& row, const Json* value, std::string_view where) {
  if (is_as_fixed(value, row.values)) return {};
  return unsupported_error("{}", field_text(where, row.key, value, formatted("supported: {}", row.values)));
}

Status check_known(const Json& object, const KnownFields& known, std::string_view where) {
  const Json::Object* members = object.as_object();
  if (!members) return {};
  for (const auto& [name, value] : *members) {
    const auto fixed = std::ranges::find(known.fixed, name, &FixedField::key);
    if (fixed != known.fixed.end()) {
      QUINTET_CHECK(check_fixed(*fixed, &value, where));
    } else if (!is_off(value) && !is_listed(name, known.others)) {
      return unsupported_error("{}", field_text(where, name, &value, kUnknownField));
    }
  }
  return {};
}

std::string field_text(std::string_view where, std::string_view key, const Json* value, std::string_view problem) {
  constexpr size_t kMax = 120;
  std::string text = formatted("{}: {}", where, key);
  if (!value) return text.append(" ").append(problem);
  const std::string written = write_json(*value);
  if (written.size() <= kMax) text += " is " + written;
  return text.append(", ").append(problem);
}

}  // namespace quintet
