#pragma once
// Byte-level BPE (openai/gpt-2, encoder.py): a text is split into words (pre_tokenizer.h), each byte of a word is a
// token, and the adjacent pair with the best merge is merged until there is none. A word of n bytes takes time n log n.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/flag_list.h"
#include "base/result.h"
#include "base/string_table.h"
#include "tokenizers/bpe/merge_table.h"
#include "tokenizers/pre_tokenizer.h"
#include "tokenizers/text_normalizer.h"
#include "tokenizers/token_index.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

struct ByteBpeVocabulary {
  StringTable tokens;         // spelled in the letters of byte_alphabet.h, except for added ones
  std::vector<uint32_t> ids;  // one per token; empty if the position of a token is its id
  StringTable merges;         // "left right", best first
  // Tokens that were added to a finished vocabulary: their text is unencoded, and no word becomes one. One entry per
  // token; empty if there are none.
  FlagList added;
};

struct ByteBpeSettings {
  TextNormalizer normalizer = {};
  PreTokenizer pre_tokenizer = {};
  bool ignore_merges = false;       // a word that is in the vocabulary is one token, regardless of the merges
  std::string word_suffix = {};     // of the last token of each word (BpeDescription::word_suffix)
  std::optional<uint32_t> unknown;  // stands for bytes without a token, which are skipped if it is absent
};

class ByteBpe final : public Tokenizer {
 public:
  // Rejects inconsistent lists, duplicate ids, and merges of strings that are not tokens.
  static Result<std::unique_ptr<Tokenizer>> create(ByteBpeVocabulary vocabulary, ByteBpeSettings settings);

  Result<std::string> normalized(std::string_view text) const override;
  void decode(uint32_t id, bool begins, std::string& bytes) const override;
  std::string_view token(uint32_t id) const override;
  std::optional<uint32_t> find(std::string_view token) const override;
  size_t size() const override { return size_; }

 private:
  ByteBpe(ByteBpeVocabulary vocabulary, ByteBpeSettings settings, TokenIndex index, MergeTable merges);
  static Result<std::vector<TokenMerge>> resolve_merges(const ByteBpeVocabulary& vocabulary, const TokenIndex& index);
  void find_bytes(std::optional<uint32_t> unknown);
  Status order_ids();

  Status append(std::string_view text, bool begins, std::vector<uint32_t>& ids, TokenSpelling* spelling) const override;
  void spell(std::string_view word, std::span<const uint32_t> ids, TokenSpelling& spelling) const;
  std::optional<uint32_t> whole_word(std::string_view word, std::string& letters) const;
  std::optional<uint32_t> position_of(uint32_t id) const;
  bool is_added(uint32_t position) const { return !added_.empty() && added_[position]; }
  uint32_t id_at(uint32_t position) const { return ids_.empty() ? position : ids_[position]; }

  // Internally, a token is identified by its position.
  StringTable tokens_;
  std::vector<uint32_t> ids_, by_id_;  // by_id_: positions, ascending by id; both empty if position is id
  FlagList added_;
  TokenIndex index_;
  MergeTable merges_;
  size_t size_ = 0;
  TextNormalizer normalizer_;
  PreTokenizer pre_tokenizer_;
  size_t longest_whole_word_ = 0;  // bytes of its letters; 0 if only merges decide
  uint32_t bytes_[256];            // position of each byte's token, or kSkipped
  std::string word_suffix_;
  uint32_t last_bytes_[256];  // likewise, of the last byte of a word
};

}  // namespace quintet
