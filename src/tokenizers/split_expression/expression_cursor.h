#pragma once
// A position in the text of a regular expression, for its parsers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/decimal.h"
#include "base/result.h"
#include "base/utf8.h"

namespace quintet {

class ExpressionCursor {
 public:
  explicit ExpressionCursor(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  // Zero beyond the end.
  char peek(size_t ahead = 0) const { return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0'; }
  bool is_at(std::string_view wanted) const { return text_.substr(at_).starts_with(wanted); }
  std::string_view text() const { return text_; }

  bool take(std::string_view wanted) {
    if (!is_at(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  char32_t take_character() {
    const DecodedCodePoint decoded = decode_utf8(text_, at_);
    at_ += decoded.bytes;
    return decoded.code_point;
  }

  // Consumes the text up to and including `end`, and returns it without `end`; consumes nothing if there is no end.
  std::string_view take_until(char end) {
    const size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) return {};
    const std::string_view before = text_.substr(at_, found - at_);
    at_ = found + 1;
    return before;
  }

  // A decimal number. One that is larger than `limit` is cut, so that what follows is a digit; `absent` if there is
  // none.
  uint32_t take_number(uint32_t limit, uint32_t absent) {
    if (peek() < '0' || peek() > '9') return absent;
    uint32_t value = 0;
    while (peek() >= '0' && peek() <= '9' && value <= limit) {
      value = value * 10 + static_cast<uint32_t>(text_[at_++] - '0');
    }
    return value;
  }

  // The first error is kept. The rest of the text is skipped, so that the parsers finish.
  void fail(std::string_view what) {
    if (error_.empty()) {
      error_.append("regular expression \"").append(text_).append("\": ").append(what);
      error_.append(" at byte ").append(write_natural(at_)).append(" is not supported");
    }
    at_ = text_.size();
  }
  bool has_failed() const { return !error_.empty(); }
  Failure error() const { return unsupported_error("{}", error_); }

 private:
  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace quintet
