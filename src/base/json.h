#pragma once
// JSON values: metadata of model files, and results of the library.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace quintet {

// A number, or a pointer to a larger value: two words, however deep it nests.
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

  Json(Json&& other) noexcept;
  Json(const Json& other);
  Json& operator=(Json other) noexcept;
  ~Json();

  bool is_null() const { return kind_ == Kind::null; }
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
  // A JSON null for a missing value.
  const Json& get(std::string_view name) const;
  // Requires an object. Replaces the member with that name, or adds it at the end.
  Json& set(std::string_view name, Json value);
  // Adds a member whose name is known to be new. Requires an object.
  void append(std::string_view name, Json value);
  void remove(std::string_view name);
  // Requires an array.
  void push_back(Json value);

 private:
  enum class Kind : uint8_t { null, boolean, integer, natural, real, string, array, object };
  // The last three are owned.
  union Content {
    bool boolean;
    int64_t integer;
    uint64_t natural;
    double real;
    std::string* string;
    Array* array;
    Object* object;
  };

  Json(Kind kind, Content content) : kind_(kind), content_(content) {}

  Kind kind_ = Kind::null;
  Content content_ = {};
};

struct Json::Member {
  std::string name;
  Json value;
};

inline Json::Json() = default;
inline Json::Json(std::nullptr_t) {}
inline Json::Json(bool value) : Json(Kind::boolean, {.boolean = value}) {}
inline Json::Json(int64_t value) : Json(Kind::integer, {.integer = value}) {}
inline Json::Json(uint64_t value) : Json(Kind::natural, {.natural = value}) {}
inline Json::Json(int value) : Json(int64_t{value}) {}
inline Json::Json(unsigned value) : Json(uint64_t{value}) {}
inline Json::Json(double value) : Json(Kind::real, {.real = value}) {}

// Reads a JSON text (RFC 8259). Beyond the grammar, it rejects what parsers disagree on or can be attacked with:
// duplicate names, nesting deeper than kMaxJsonDepth, ill-formed UTF-8 and lone surrogates. `base` is the position of
// the text in the file, for the offsets of errors.
constexpr int kMaxJsonDepth = 64;
Result<Json> parse_json(std::string_view text, uint64_t base = 0);

// Compact text. Doubles are the shortest decimals that read back the same; NaN and infinities become null.
std::string write_json(const Json& value);

}  // namespace quintet
