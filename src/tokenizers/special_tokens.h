#pragma once
// Finds special tokens that are written out in a text ("<|user|>", "</s>"), so that the text between them can be
// tokenized separately. Only on request, and only in text that may contain them: text of a user may not.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/split_expression/character_class.h"

namespace quintet {

// The origin of a text: the ascending positions at which trusted text and other text alternate. Trusted text is first.
class TextOrigin {
 public:
  TextOrigin() = default;  // all is trusted
  explicit TextOrigin(std::span<const uint32_t> changes) : changes_(changes) {}

  // Whether all of these bytes are trusted.
  bool trusts(size_t begin, size_t end) const;

 private:
  std::span<const uint32_t> changes_;
};

struct SpecialToken {
  std::string text;
  uint32_t id = 0;
  // The token is found in any text, others in trusted text only.
  bool anywhere = false;
  // White space on that side belongs to the token.
  bool trims_left = false;
  bool trims_right = false;
  // The token does not count next to a character of a word.
  bool is_word = false;
};

class SpecialTokens {
 public:
  struct Found {
    size_t begin = 0;  // position in the text
    size_t size = 0;   // including the white space that belongs to it
    uint32_t id = 0;
  };

  // Longer tokens, and those without text, are not searched for, to limit the time of a search.
  static constexpr size_t kLongest = 256;

  SpecialTokens() = default;
  explicit SpecialTokens(std::vector<SpecialToken> tokens);

  // Returns the first token at or after `from`, with the white space after `from` that belongs to it. The longest of
  // several at the same position counts.
  std::optional<Found> next(std::string_view text, size_t from, const TextOrigin& origin = {}) const;

  bool empty() const { return tokens_.empty(); }

 private:
  bool is_in_word(std::string_view text, size_t begin, size_t end) const;
  const SpecialToken* longest_at(std::string_view text, size_t at, const TextOrigin& origin) const;

  std::vector<SpecialToken> tokens_;  // sorted by their texts
  std::bitset<256> first_bytes_;
  CharacterClass word_;
};

}  // namespace quintet
