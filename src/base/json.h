#pragma once
// JSON values: metadata of model files, and results of the library.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace quintet {

// A value on the heap that is copied with its owner, so that a Json is two words large however deep it nests.
template <class T>
class Boxed {
 public:
  explicit Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : value_(std::make_unique<T>(*other.value_)) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }

 private:
  std::unique_ptr<T> value_;
};

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;  // in the order of the text; names are unique

  Json();  // null
  Json(std::nullptr_t);
  Json(bool value);
  Json(int64_t value);
  Json(uint64_t value);
  Json(int value);
  Json(unsigned value);
  Json(double value);
  Json(std::string value);
  Json(std::string_view value);
  Json(const char* value);
  static Json array();
  static Json object();

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  std::optional<bool> as_bool() const;
  // Only for numbers written without fraction and exponent.
  std::optional<int64_t> as_int() const;
  std::optional<uint64_t> as_uint() const;
  // For any number.
  std::optional<double> as_double() const;
  // Null if the value is of another kind.
  const std::string* as_string() const;
  const Array* as_array() const;
  const Object* as_object() const;

  // A member's value; null if there is none or this is not an object.
  const Json* find(std::string_view name) const;
  // A JSON null for what is not there.
  const Json& get(std::string_view name) const;
  // Requires an object. Replaces the member with that name, or adds it at the end.
  Json& set(std::string_view name, Json value);
  // Adds a member whose name is known to be new. Requires an object.
  void append(std::string name, Json value);
  void remove(std::string_view name);
  // Requires an array.
  void push_back(Json value);

 private:
  std::variant<std::monostate, bool, int64_t, uint64_t, double, Boxed<std::string>, Boxed<Array>, Boxed<Object>> value_;
};

struct Json::Member {
  std::string name;
  Json value;
};

// Defined here because they need a complete Member.
inline Json::Json() = default;
inline Json::Json(std::nullptr_t) {}
inline Json::Json(bool value) : value_(value) {}
inline Json::Json(int64_t value) : value_(value) {}
inline Json::Json(uint64_t value) : value_(value) {}
inline Json::Json(int value) : value_(int64_t{value}) {}
inline Json::Json(unsigned value) : value_(uint64_t{value}) {}
inline Json::Json(double value) : value_(value) {}
inline Json::Json(std::string value) : value_(Boxed<std::string>(std::move(value))) {}
inline Json::Json(std::string_view value) : Json(std::string(value)) {}
inline Json::Json(const char* value) : Json(std::string(value)) {}

// Reads a JSON text (RFC 8259). Beyond the grammar, it rejects what parsers disagree on or can be attacked with:
// duplicate names, nesting deeper than kMaxJsonDepth, ill-formed UTF-8 and lone surrogates. `base` is the position of
// the text in the file, for the offsets of errors.
constexpr int kMaxJsonDepth = 64;
Result<Json> parse_json(std::string_view text, uint64_t base = 0);

// Compact text. Doubles are the shortest decimals that read back the same; NaN and infinities become null.
std::string write_json(const Json& value);

}  // namespace quintet
