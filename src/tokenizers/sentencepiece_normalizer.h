#pragma once
// What SentencePiece does to a text before it cuts it into pieces: characters are rewritten, runs of spaces may become
// one, a space is put in front, and spaces become U+2581. Symbols of the user stay as they are.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tokenizers/piece_trie.h"
#include "tokenizers/sentencepiece_vocabulary.h"

namespace quintet {

// SentencePiece's precompiled_charsmap: which characters a text is to be rewritten to before it is cut into pieces. The
// rules lie in a double-array trie as Darts-clone (github.com/s-yata/darts-clone) makes it, and what they write in a
// list of strings behind it:
//
//   u32 bytes of the trie | trie, units of u32 | strings, each ended by a zero byte
//
// It comes from a model file, so that any bytes are possible: every step is checked to lie inside the trie.
class CharacterMap {
 public:
  struct Rule {
    size_t size = 0;  // of what it rewrites, in bytes; 0: there is no rule
    std::string_view replacement;
  };

  CharacterMap() = default;  // without rules
  static Result<CharacterMap> create(std::string compiled);

  bool empty() const { return compiled_.empty(); }
  // The longest rule for what the text has at `at`. It rewrites whole characters to whole characters.
  Rule longest(std::string_view text, size_t at) const;

 private:
  // Bounds to what a hostile file can cost: a rule read longer than any real one, a text grown beyond memory.
  // Of the maps in use (NMT NFKC) the longest rule has 18 bytes, and the longest replacement 33.
  static constexpr size_t kMaxRuleBytes = 256;
  static constexpr size_t kMaxReplacementBytes = 256;

  uint32_t unit(size_t index) const;
  std::string_view strings() const { return std::string_view(compiled_).substr(strings_begin_); }
  std::string_view string_at(uint32_t offset) const;

  std::string compiled_;
  size_t units_ = 0;          // of the trie
  size_t strings_begin_ = 0;  // in compiled_
};

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
