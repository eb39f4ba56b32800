#include "formats/huggingface/tokenizer_json.h"

#include <string>

#include "base/utf8.h"

namespace quintet::huggingface {

bool is_text(const Json& object, std::string_view key, std::string_view expected) {
  const std::string* text = object.get(key).as_string();
  return text && *text == expected;
}

bool is_flag(const Json& object, std::string_view key, bool expected, bool absent) {
  return object.get(key).as_bool().value_or(absent) == expected;
}

Failure unsupported_part(std::string_view part, const Json& value, std::string_view supported) {
  constexpr size_t kMaxShown = 200;  // bytes
  std::string text = write_json(value);
  if (text.size() > kMaxShown) {
    size_t end = kMaxShown;
    while (is_utf8_continuation(text[end])) --end;
    text = text.substr(0, end) + "...";
  }
  return unsupported_error("the tokenizer's {} is {}; supported are {}", part, text, supported);
}

}  // namespace quintet::huggingface
