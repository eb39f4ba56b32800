#pragma once
// Bytes in, whole characters out: the text of a stream of tokens.

#include <string>
#include <string_view>

namespace quintet {

class Utf8Stream {
 public:
  // Appends bytes and returns all complete characters. Bytes that can never be part of one become U+FFFD.
  std::string push(std::string_view bytes);
  // Ends the stream: an incomplete sequence becomes U+FFFD.
  std::string finish();

 private:
  std::string pending_;  // at most three bytes
};

}  // namespace quintet
