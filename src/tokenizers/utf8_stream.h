#pragma once
// Bytes in, whole characters out: what a stream of tokens shows while it grows.

#include <string>
#include <string_view>

namespace quintet {

class Utf8Stream {
 public:
  // Appends the bytes, and returns all characters that are complete. Bytes that can never be part of one become U+FFFD.
  std::string push(std::string_view bytes);
  // The end: what is still incomplete becomes U+FFFD.
  std::string finish();

 private:
  std::string pending_;  // at most three bytes
};

}  // namespace quintet
