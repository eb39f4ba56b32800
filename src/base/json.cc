#include "base/json.h"

#include <algorithm>
#include <limits>

namespace quintet {

Json::Json(std::string value) : Json(Kind::string, {.string = new std::string(std::move(value))}) {}
Json::Json(std::string_view value) : Json(std::string(value)) {}
Json::Json(const char* value) : Json(std::string(value)) {}

Json Json::array() { return {Kind::array, {.array = new Array}}; }
Json Json::object() { return {Kind::object, {.object = new Object}}; }

Json::Json(Json&& other) noexcept : Json(std::exchange(other.kind_, Kind::null), other.content_) {}

Json::Json(const Json& other) : Json(other.kind_, other.content_) {
  if (kind_ == Kind::string) content_.string = new std::string(*other.content_.string);
  if (kind_ == Kind::array) content_.array = new Array(*other.content_.array);
  if (kind_ == Kind::object) content_.object = new Object(*other.content_.object);
}

Json& Json::operator=(Json other) noexcept {
  std::swap(kind_, other.kind_);
  std::swap(content_, other.content_);
  return *this;
}

Json::~Json() {
  if (kind_ == Kind::string) delete content_.string;
  if (kind_ == Kind::array) delete content_.array;
  if (kind_ == Kind::object) delete content_.object;
}

std::optional<bool> Json::as_bool() const {
  return kind_ == Kind::boolean ? std::optional(content_.boolean) : std::nullopt;
}

std::optional<int64_t> Json::as_int() const {
  if (kind_ == Kind::integer) return content_.integer;
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (kind_ == Kind::natural && content_.natural <= kMax) return static_cast<int64_t>(content_.natural);
  return std::nullopt;
}

std::optional<uint64_t> Json::as_uint() const {
  if (kind_ == Kind::natural) return content_.natural;
  if (kind_ == Kind::integer && content_.integer >= 0) return static_cast<uint64_t>(content_.integer);
  return std::nullopt;
}

std::optional<double> Json::as_double() const {
  if (kind_ == Kind::real) return content_.real;
  if (kind_ == Kind::integer) return static_cast<double>(content_.integer);
  if (kind_ == Kind::natural) return static_cast<double>(content_.natural);
  return std::nullopt;
}

const std::string* Json::as_string() const { return kind_ == Kind::string ? content_.string : nullptr; }

const Json::Array* Json::as_array() const { return kind_ == Kind::array ? content_.array : nullptr; }

const Json::Object* Json::as_object() const { return kind_ == Kind::object ? content_.object : nullptr; }

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
  Object& members = *content_.object;
  const auto found = std::ranges::find(members, name, &Member::name);
  if (found != members.end()) return found->value = std::move(value);
  return members.emplace_back(Member{std::string(name), std::move(value)}).value;
}

void Json::append(std::string_view name, Json value) {
  content_.object->push_back({std::string(name), std::move(value)});
}

void Json::remove(std::string_view name) {
  std::erase_if(*content_.object, [&](const Member& member) { return member.name == name; });
}

void Json::push_back(Json value) { content_.array->push_back(std::move(value)); }

}  // namespace quintet
