#pragma once
// Appends little-endian values to a growing buffer.

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace quintet {

class ByteWriter {
 public:
  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));  // all targets are little-endian, as are the formats
    put_bytes(bytes);
  }

  void put_bytes(Bytes bytes) { buffer_.insert(buffer_.end(), bytes.begin(), bytes.end()); }
  void put_text(std::string_view text) { put_bytes(as_bytes(text)); }
  void put_zeros(size_t count) { buffer_.resize(buffer_.size() + count); }

  size_t size() const { return buffer_.size(); }
  Bytes bytes() const { return buffer_; }
  // Returns the bytes and starts over.
  std::vector<std::byte> take() { return std::exchange(buffer_, {}); }

  // Overwrites an earlier value; requires at + sizeof(T) <= size().
  template <class T>
  void set(size_t at, T value) {
    static_assert(std::is_arithmetic_v<T>);
    std::memcpy(buffer_.data() + at, &value, sizeof(T));
  }

 private:
  std::vector<std::byte> buffer_;
};

}  // namespace quintet
