#include "base/string_table.h"

namespace quintet {

void StringTable::reserve(size_t strings, size_t bytes) {
  ends_.reserve(strings);
  bytes_.reserve(bytes);
}

bool StringTable::add(std::string_view string) {
  if (string.size() > kMaxBytes - bytes_.size()) return false;
  bytes_.append(string);
  ends_.push_back(static_cast<uint32_t>(bytes_.size()));
  return true;
}

size_t StringTable::memory_bytes() const { return bytes_.capacity() + ends_.capacity() * sizeof(uint32_t); }

}  // namespace quintet
