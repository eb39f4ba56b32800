#include "base/formatted.h"

#include "base/decimal.h"

namespace quintet {

void FieldValue::append_to(std::string& text) const {
  switch (kind_) {
    case Kind::natural:
      text += write_natural(number_);
      return;
    case Kind::integer:
      text += write_integer(static_cast<int64_t>(number_));
      return;
    case Kind::character:
      text += character_;
      return;
    case Kind::literal:
      text += literal_;
      return;
    case Kind::string:
      text += *string_;
      return;
    case Kind::view:
      text += view_;
      return;
  }
}

std::string fill_in(const char* pattern, const FieldValue* values) {
  std::string text;
  for (; *pattern != '\0'; ++pattern) {
    if (pattern[0] == '{' && pattern[1] == '}') {
      values++->append_to(text);
      ++pattern;
    } else {
      text += *pattern;
    }
  }
  return text;
}

}  // namespace quintet
