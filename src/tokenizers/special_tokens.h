#pragma once
// Special tokens spelled out in a text ("<|user|>", "</s>"): where they stand, so that the text between them can be
// tokenized apart. Only on demand: a user's text must not be able to spell them.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quintet {

class SpecialTokens {
 public:
  struct Found {
    size_t begin = 0;  // in the text
    size_t size = 0;
    uint32_t id = 0;
  };

  // Longer tokens, and those without a text, are not looked for: the time that a look takes is bounded.
  static constexpr size_t kLongest = 256;

  SpecialTokens() = default;
  explicit SpecialTokens(std::vector<std::pair<std::string, uint32_t>> tokens);

  // The first one at or behind `from`, and of several that begin there the longest.
  std::optional<Found> next(std::string_view text, size_t from) const;
  std::optional<uint32_t> find(std::string_view token) const;

  bool empty() const { return tokens_.empty(); }

 private:
  std::optional<Found> longest_at(std::string_view text, size_t at) const;

  std::vector<std::pair<std::string, uint32_t>> tokens_;  // in the order of their texts
  std::bitset<256> first_bytes_;
};

}  // namespace quintet
