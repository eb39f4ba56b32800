#pragma once
// Texts with values in them: formatted("{} of {} bytes", n, size). Like std::format, which would be a tenth of a
// module, and smaller at each use than strings that are put together with +. A field is always "{}", so other braces
// are text.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace quintet {

// Replaces a field: an integer, a character, or a text that lives as long as the expression.
class FieldValue {
 public:
  template <std::unsigned_integral T>
  constexpr FieldValue(T number) : kind_(Kind::natural), number_(number) {}
  template <std::signed_integral T>
  constexpr FieldValue(T number) : kind_(Kind::integer), number_(static_cast<uint64_t>(int64_t{number})) {}
  constexpr FieldValue(const char* text) : kind_(Kind::literal), literal_(text) {}
  constexpr FieldValue(const std::string& text) : kind_(Kind::string), string_(&text) {}
  constexpr FieldValue(std::string_view text) : kind_(Kind::view), view_(text) {}
  constexpr FieldValue(char character) : kind_(Kind::character), character_(character) {}
  FieldValue(bool) = delete;

  void append_to(std::string& text) const;

 private:
  enum class Kind : uint8_t { natural, integer, character, literal, string, view };

  Kind kind_;
  union {
    uint64_t number_;
    char character_;
    const char* literal_;
    const std::string* string_;
    std::string_view view_;
  };
};

// Has no definition: the compiler reports the call.
void as_many_values_as_fields_are_needed();

// A text with this number of fields, which the compiler checks.
template <size_t fields>
struct Pattern {
  consteval Pattern(const char* with_fields) : text(with_fields) {
    size_t found = 0;
    for (const char* at = text; *at != '\0'; ++at) found += at[0] == '{' && at[1] == '}';
    if (found != fields) as_many_values_as_fields_are_needed();
  }

  const char* text;
};

std::string fill_in(const char* pattern, const FieldValue* values);

template <class... Values>
[[gnu::always_inline]] inline std::string formatted(Pattern<sizeof...(Values)> pattern, const Values&... values) {
  return fill_in(pattern.text, std::initializer_list<FieldValue>{values...}.begin());
}

}  // namespace quintet
