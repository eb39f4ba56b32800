#include "runtime/generation/generated_text.h"

#include <algorithm>

namespace quintet {

std::string StopStrings::push(std::string_view piece) {
  if (strings_.empty()) return std::string(piece);
  const size_t seen = held_.size();
  held_ += piece;
  size_t certain = held_.size();
  for (size_t end = seen + 1; end <= held_.size() && !found_; ++end) {
    if (const size_t length = stop_ending_at(end); length != 0) {
      found_ = true;
      certain = end - length;
    }
  }
  if (!found_) certain -= possible_begin();
  std::string text = held_.substr(0, certain);
  held_.erase(0, found_ ? held_.size() : certain);
  return text;
}

// Length of the longest stop string that ends here, or 0.
size_t StopStrings::stop_ending_at(size_t end) const {
  const auto text = std::string_view(held_).substr(0, end);
  size_t longest = 0;
  for (const std::string& string : strings_)
    if (text.ends_with(string)) longest = std::max(longest, string.size());
  return longest;
}

// Length of the longest suffix of the text that is a prefix of a stop string.
size_t StopStrings::possible_begin() const {
  size_t longest = 0;
  for (const std::string& string : strings_) {
    for (size_t length = std::min(string.size() - 1, held_.size()); length > longest; --length)
      if (held_.ends_with(std::string_view(string).substr(0, length))) longest = length;
  }
  return longest;
}

std::string GeneratedText::push(uint32_t id) {
  if (!codec_.has_tokenizer()) return {};
  if (codec_.is_special(id)) return stop_.finish();
  std::string bytes;
  codec_.append_bytes(id, begins_, bytes);
  begins_ = false;
  return stop_.push(characters_.push(bytes));
}

std::string GeneratedText::finish() {
  // The rest of a character that is never completed may still complete a stop string.
  std::string text = stop_.push(characters_.finish());
  if (!stop_.found()) text += stop_.finish();
  return text;
}

}  // namespace quintet
