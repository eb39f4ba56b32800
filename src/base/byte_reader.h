#pragma once
// Reads little-endian values from untrusted bytes. Every read is checked, and the reader never moves past a
// failed one.

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet {

class ByteReader {
 public:
  // `base` is the position of the first byte in the file, so that errors have absolute offsets.
  explicit ByteReader(Bytes input, uint64_t base = 0) : input_(input), base_(base) {}

  uint64_t offset() const { return base_ + used_; }
  size_t remaining() const { return input_.size() - used_; }

  template <class T>
  Result<T> read() {
    static_assert(std::is_arithmetic_v<T>);
    if (remaining() < sizeof(T)) return truncated(sizeof(T));
    T value;
    std::memcpy(&value, input_.data() + used_, sizeof(T));  // all targets are little-endian, as are the formats
    used_ += sizeof(T);
    return value;
  }

  Result<Bytes> bytes(uint64_t n) {
    if (n > remaining()) return truncated(n);
    const Bytes taken = input_.subspan(used_, static_cast<size_t>(n));
    used_ += static_cast<size_t>(n);
    return taken;
  }

 private:
  Failure truncated(uint64_t wanted) const {
    return format_error(Reason::truncated, offset(), "expected {} bytes, found {}", wanted, remaining());
  }

  Bytes input_;
  uint64_t base_;
  size_t used_ = 0;  // invariant: used_ <= input_.size()
};

// A value at a position that the caller has checked, for records of a fixed size.
template <class T>
T load_le(Bytes record, size_t at) {
  static_assert(std::is_arithmetic_v<T>);
  T value;
  std::memcpy(&value, record.data() + at, sizeof(T));
  return value;
}

}  // namespace quintet
