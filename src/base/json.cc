#include "base/json.h"

#include <algorithm>
#include <limits>

namespace quintet {

Json Json::array() {
  Json json;
  json.value_ = Boxed<Array>({});
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Boxed<Object>({});
  return json;
}

std::optional<bool> Json::as_bool() const {
  const bool* value = std::get_if<bool>(&value_);
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<int64_t> Json::as_int() const {
  if (const int64_t* value = std::get_if<int64_t>(&value_)) return *value;
  const uint64_t* value = std::get_if<uint64_t>(&value_);
  if (!value || *value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
  return static_cast<int64_t>(*value);
}

std::optional<uint64_t> Json::as_uint() const {
  if (const uint64_t* value = std::get_if<uint64_t>(&value_)) return *value;
  const int64_t* value = std::get_if<int64_t>(&value_);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<uint64_t>(*value);
}

std::optional<double> Json::as_double() const {
  if (const double* value = std::get_if<double>(&value_)) return *value;
  if (const int64_t* value = std::get_if<int64_t>(&value_)) return static_cast<double>(*value);
  if (const uint64_t* value = std::get_if<uint64_t>(&value_)) return static_cast<double>(*value);
  return std::nullopt;
}

const std::string* Json::as_string() const {
  const auto* value = std::get_if<Boxed<std::string>>(&value_);
  return value ? &**value : nullptr;
}

const Json::Array* Json::as_array() const {
  const auto* value = std::get_if<Boxed<Array>>(&value_);
  return value ? &**value : nullptr;
}

const Json::Object* Json::as_object() const {
  const auto* value = std::get_if<Boxed<Object>>(&value_);
  return value ? &**value : nullptr;
}

const Json* Json::find(std::string_view name) const {
  const Object* members = as_object();
  if (!members) return nullptr;
  const auto found = std::ranges::find(*members, name, &Member::name);
  return found == members->end() ? nullptr : &found->value;
}

const Json& Json::get(std::string_view name) const {
  static const Json null;
  const Json* value = find(name);
  return value ? *value : null;
}

Json& Json::set(std::string_view name, Json value) {
  Object& members = **std::get_if<Boxed<Object>>(&value_);
  const auto found = std::ranges::find(members, name, &Member::name);
  if (found != members.end()) return found->value = std::move(value);
  return members.emplace_back(Member{std::string(name), std::move(value)}).value;
}

void Json::append(std::string name, Json value) {
  (**std::get_if<Boxed<Object>>(&value_)).push_back({std::move(name), std::move(value)});
}

void Json::remove(std::string_view name) {
  std::erase_if(**std::get_if<Boxed<Object>>(&value_), [&](const Member& member) { return member.name == name; });
}

void Json::push_back(Json value) { (**std::get_if<Boxed<Array>>(&value_)).push_back(std::move(value)); }

}  // namespace quintet
