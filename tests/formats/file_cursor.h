#pragma once
// A place in a file that is read on from: for the second readers of formats, which trust the file.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace quintet::test {

class FileCursor {
 public:
  FileCursor(const std::vector<std::byte>& file, uint64_t at) : file_(file), at_(at) {}

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, &file_.at(at_ + sizeof(T) - 1) - (sizeof(T) - 1), sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  std::string text(size_t length) {
    std::string out;
    for (size_t i = 0; i < length; ++i) out += static_cast<char>(number<uint8_t>());
    return out;
  }

  uint64_t at() const { return at_; }
  void skip(uint64_t n) { at_ += n; }

 private:
  const std::vector<std::byte>& file_;
  uint64_t at_;
};

}  // namespace quintet::test
