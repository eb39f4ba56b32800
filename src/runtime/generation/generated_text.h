#pragma once
// The text of a generation as its tokens arrive: only whole characters, and nothing of a stop string.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/tokenize/text_codec.h"
#include "tokenizers/utf8_stream.h"

namespace quintet {

// Finds stop strings in a text that grows piece by piece. Text that may be the start of one is held back until it is
// certain.
class StopStrings {
 public:
  // None of them may be empty.
  explicit StopStrings(std::vector<std::string> strings) : strings_(std::move(strings)) {}

  // Appends a piece and returns the text that is certain to be before any stop string. The result does not depend on
  // how the text is divided into pieces.
  std::string push(std::string_view piece);
  // Whether a stop string was found. Everything before it was returned. The one that is complete first counts, of
  // several the longest.
  bool found() const { return found_; }
  // Ends the text, or a part of it beyond which no stop string goes: returns what is still held back.
  std::string finish() { return std::exchange(held_, {}); }

 private:
  size_t stop_ending_at(size_t end) const;
  size_t possible_begin() const;

  std::vector<std::string> strings_;
  std::string held_;  // may be the start of a stop string
  bool found_ = false;
};

class GeneratedText {
 public:
  // `begins`: only special tokens precede the generated text.
  GeneratedText(const TextCodec& codec, std::vector<std::string> stop, bool begins)
      : codec_(codec), stop_(std::move(stop)), begins_(begins) {}

  // The text that has become certain with this token. Stop strings do not go beyond special tokens: what is before one
  // is returned at the latest with it, so that a caller sees on which side it is.
  std::string push(uint32_t id);
  // Whether all text before a stop string was returned.
  bool stopped() const { return stop_.found(); }
  // Ends the text: returns the text that was held back.
  std::string finish();

 private:
  const TextCodec& codec_;
  Utf8Stream characters_;
  StopStrings stop_;
  bool begins_;
};

}  // namespace quintet
