#include "runtime/generation/thought_budget.h"

#include <algorithm>

namespace quintet {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Whether more bytes of the last character must follow.
bool is_incomplete(std::string_view text) {
  size_t length = 1;
  while (length <= text.size() && (text[text.size() - length] & 0xC0) == 0x80) ++length;
  if (length > text.size()) return false;
  const auto lead = static_cast<unsigned char>(text[text.size() - length]);
  return (lead >= 0xC0 && length < 2) || (lead >= 0xE0 && length < 3) || (lead >= 0xF0 && length < 4);
}

}  // namespace

std::optional<uint32_t> ThoughtBudget::forced() const {
  if (state_ != State::closing) return std::nullopt;
  return closing_[static_cast<size_t>(count_)];
}

void ThoughtBudget::push(std::string_view text) {
  if (state_ == State::closing) {
    if (++count_ == closing_.size()) state_ = State::over;
    return;
  }
  if (state_ == State::over) return;
  text_ += text;
  if (state_ == State::before) {
    text_.erase(0, std::min(text_.find_first_not_of(kSpace), text_.size()));
    if (text_.starts_with(options_.begin)) {
      begin_thoughts();
    } else if (!options_.begin.starts_with(text_)) {
      state_ = State::over;
    }
    return;
  }
  ++count_;
  if (text_.contains(options_.end)) {
    state_ = State::over;
  } else {
    end_if_used_up();
    constexpr size_t kMaxCharacter = 4;
    const size_t kept = std::max(options_.end.size(), kMaxCharacter) - 1;
    if (text_.size() > kept) text_.erase(0, text_.size() - kept);
  }
}

void ThoughtBudget::begin_thoughts() {
  state_ = State::thinking;
  text_.clear();
  end_if_used_up();
}

void ThoughtBudget::end_if_used_up() {
  if (count_ < options_.budget || is_incomplete(text_)) return;
  count_ = 0;
  state_ = closing_.empty() ? State::over : State::closing;
}

}  // namespace quintet
