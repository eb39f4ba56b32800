#pragma once
// The text of an answer while its tokens come: whole characters only, and nothing of a stop string.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/text/text_codec.h"
#include "tokenizers/utf8_stream.h"

namespace quintet {

// Stop strings in a text that grows piece by piece: what may be the begin of one is held back until that is settled.
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

class GeneratedText {
 public:
  // `begins`: nothing but special tokens stands before the answer.
  GeneratedText(const TextCodec& codec, std::vector<std::string> stop, bool begins)
      : codec_(codec), stop_(std::move(stop)), begins_(begins) {}

  // The text that has become certain with this token.
  std::string push(uint32_t id);
  // All of the answer that stands before a stop string was returned.
  bool stopped() const { return stop_.found(); }
  // The end of the answer: what was held back.
  std::string finish();

 private:
  const TextCodec& codec_;
  Utf8Stream characters_;
  StopStrings stop_;
  bool begins_;
};

}  // namespace quintet
