#pragma once
// Special tokens spelled out in a text ("<|user|>", "</s>"): where they stand, so that the text between them can be
// tokenized apart. Only on demand: a user's text must not be able to spell them.

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

  SpecialTokens() = default;
  explicit SpecialTokens(std::vector<std::pair<std::string, uint32_t>> tokens);

  // The first one at or behind `from`, and of several that begin there the longest.
  std::optional<Found> next(std::string_view text, size_t from) const;
  std::optional<uint32_t> find(std::string_view token) const;

 private:
  std::vector<std::pair<std::string, uint32_t>> tokens_;  // longest first
};

}  // namespace quintet
