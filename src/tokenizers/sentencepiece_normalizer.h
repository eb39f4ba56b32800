#pragma once
// What SentencePiece does to a text before it cuts it into pieces: characters are rewritten, runs of spaces may become
// one, a space is put in front, and spaces become U+2581. Symbols of the user stay as they are.

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizers/character_map.h"
#include "tokenizers/piece_trie.h"
#include "tokenizers/sentencepiece_vocabulary.h"

namespace quintet {

constexpr std::string_view kSpaceSymbol = "\u2581";

class SentencePieceNormalizer {
 public:
  // `user_defined` must outlive it.
  SentencePieceNormalizer(const SentencePieceSettings& settings, CharacterMap character_map,
                          const PieceTrie& user_defined);

  // Well-formed UTF-8 of a text of any bytes, where the user's symbols are. `begins`: with the dummy prefix.
  std::string normalize(std::string_view text, bool begins) const;

 private:
  struct Prefix {
    std::string_view normalized;
    size_t size;  // that it has in the text
  };

  Prefix prefix(std::string_view text, size_t at) const;
  size_t skip_spaces(std::string_view text) const;
  void append(std::string_view normalized, std::string& out) const;

  CharacterMap character_map_;
  const PieceTrie& user_defined_;
  bool add_dummy_prefix_;
  bool remove_extra_whitespaces_;
  bool treat_whitespace_as_suffix_;
  std::string_view space_;  // as the pieces have it
};

}  // namespace quintet
