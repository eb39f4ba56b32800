#pragma once
// A list of strings in one block of bytes. A vocabulary of 30,000 tokens takes the bytes of its tokens plus four for
// each; a vector of std::string would take 32 for each before the first byte.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

class StringTable {
 public:
  // Maximum total size of the strings: offsets have 32 bits.
  static constexpr uint64_t kMaxBytes = UINT32_MAX;

  void reserve(size_t strings, size_t bytes);

  // Returns false and adds nothing if the strings would exceed kMaxBytes.
  [[nodiscard]] bool add(std::string_view string);

  size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }

  // Requires index < size(). Valid until the next add().
  std::string_view operator[](size_t index) const {
    const uint32_t begin = index == 0 ? 0 : ends_[index - 1];
    return {bytes_.data() + begin, ends_[index] - begin};
  }

  // Heap memory in use.
  size_t memory_bytes() const;

 private:
  std::string bytes_;           // all strings, one after another
  std::vector<uint32_t> ends_;  // offset just after each string
};

}  // namespace quintet
