#pragma once
// SentencePiece's normalization of a text before it is split into pieces, or Hugging Face's: characters are rewritten,
// runs of spaces may become one, a space is put in front, and spaces become U+2581. User-defined symbols are unchanged.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tokenizers/sentencepiece/piece_trie.h"
#include "tokenizers/sentencepiece/vocabulary.h"

namespace quintet {

// SentencePiece's precompiled_charsmap: how characters of a text are rewritten before it is split into pieces. The
// rules are a double-array trie as created by Darts-clone (github.com/s-yata/darts-clone), followed by a list of their
// replacement strings:
//
//   u32 bytes of the trie | trie, units of u32 | strings, each ended by a zero byte
//
// It is part of a model file, so any bytes are possible: every step is checked to stay inside the trie.
class CharacterMap {
 public:
  struct Rule {
    size_t size = 0;  // bytes of the rewritten text; 0: there is no rule
    std::string_view replacement;
  };

  CharacterMap() = default;  // without rules
  static Result<CharacterMap> create(std::string compiled);

  bool empty() const { return compiled_.empty(); }
  // Returns the longest rule for the text at `at`. It rewrites whole characters to whole characters.
  Rule longest(std::string_view text, size_t at) const { return find(text, at, false); }
  // Returns the shortest rule for the text at `at`.
  Rule shortest(std::string_view text, size_t at) const { return find(text, at, true); }

 private:
  // Limits for hostile files: rules longer than any real one, text that grows beyond memory. In the maps in use (NMT
  // NFKC), the longest rule has 18 bytes and the longest replacement 33.
  static constexpr size_t kMaxRuleBytes = 256;
  static constexpr size_t kMaxReplacementBytes = 256;

  Rule find(std::string_view text, size_t at, bool first) const;
  uint32_t unit(size_t index) const;
  std::string_view strings() const { return std::string_view(compiled_).substr(strings_begin_); }
  std::string_view string_at(uint32_t offset) const;

  std::string compiled_;
  size_t units_ = 0;          // size of the trie
  size_t strings_begin_ = 0;  // position in compiled_
};

constexpr std::string_view kSpaceSymbol = "\u2581";

class SentencePieceNormalizer {
 public:
  // `user_defined` must outlive it.
  SentencePieceNormalizer(const SentencePieceSettings& settings, CharacterMap character_map,
                          const PieceTrie& user_defined);

  // Converts a text of any bytes to well-formed UTF-8, with the positions of user-defined symbols. `begins`: with the
  // dummy prefix.
  std::string normalize(std::string_view text, bool begins) const;

 private:
  struct Prefix {
    std::string_view normalized;
    size_t size;  // its size in the text
  };

  std::string as_sentencepiece(std::string_view text, bool has_prefix) const;
  std::string mapped(std::string_view text) const;
  std::string with_marks(std::string_view text, bool has_prefix) const;
  Prefix prefix(std::string_view text, size_t at) const;
  CharacterMap::Rule rule_at(std::string_view text, size_t at) const;
  size_t skip_spaces(std::string_view text) const;
  void append(std::string_view normalized, std::string& out) const;

  CharacterMap character_map_;
  const PieceTrie& user_defined_;
  bool add_dummy_prefix_;
  bool remove_extra_whitespaces_;
  bool treat_whitespace_as_suffix_;
  bool prefixes_every_part_;
  bool prefixes_no_space_;
  bool splits_white_space_;
  bool keeps_trailing_space_;
  bool as_huggingface_;
  std::string_view space_;  // how pieces write it
};

}  // namespace quintet
