#pragma once
// The text of an answer while its tokens come: whole characters only, and nothing of a stop string.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/generation/stop_strings.h"
#include "runtime/text/text_codec.h"
#include "tokenizers/utf8_stream.h"

namespace quintet {

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
