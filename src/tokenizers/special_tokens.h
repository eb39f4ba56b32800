#pragma once
// Special tokens spelled out in a text ("<|user|>", "</s>"): where they stand, so that the text between them can be
// tokenized apart. Only on demand: a user's text must not be able to spell them.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

struct SpecialToken {
  std::string text;
  uint32_t id = 0;
  // White space on that side belongs to it.
  bool trims_left = false;
  bool trims_right = false;
};

class SpecialTokens {
 public:
  struct Found {
    size_t begin = 0;  // in the text
    size_t size = 0;   // with the white space that belongs to it
    uint32_t id = 0;
  };

  // Longer tokens, and those without a text, are not looked for: the time that a look takes is bounded.
  static constexpr size_t kLongest = 256;

  SpecialTokens() = default;
  explicit SpecialTokens(std::vector<SpecialToken> tokens);

  // The first one at or behind `from`, with the white space behind `from` that belongs to it, and of several that begin
  // there the longest.
  std::optional<Found> next(std::string_view text, size_t from) const;
  std::optional<uint32_t> find(std::string_view text) const;

  bool empty() const { return tokens_.empty(); }

 private:
  const SpecialToken* longest_at(std::string_view text, size_t at) const;

  std::vector<SpecialToken> tokens_;  // in the order of their texts
  std::bitset<256> first_bytes_;
};

}  // namespace quintet
