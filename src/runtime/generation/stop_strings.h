#pragma once
// Stop strings in a text that grows piece by piece: what may be the begin of one is held back until that is settled.

#include <string>
#include <string_view>
#include <vector>

namespace quintet {

class StopStrings {
 public:
  // None of them is empty.
  explicit StopStrings(std::vector<std::string> strings) : strings_(std::move(strings)) {}

  // Appends a piece and returns the text that is certain to stand before any stop string. How a text is cut into pieces
  // makes no difference.
  std::string push(std::string_view piece);
  // The stop string that was complete first (of several the longest) has been found, and all before it was returned.
  bool found() const { return found_; }
  // The end of the text: what is still held back.
  std::string finish() { return std::move(held_); }

 private:
  size_t stop_ending_at(size_t end) const;
  size_t possible_begin() const;

  std::vector<std::string> strings_;
  std::string held_;  // may be the begin of a stop string
  bool found_ = false;
};

}  // namespace quintet
