#pragma once
// Byte-level BPE (openai/gpt-2, encoder.py): a text is cut into words (pre_tokenizer.h), each byte of a word is a
// token, and of all neighbours the pair with the best merge is put together until there is none. A word of n bytes
// takes a time of n log n.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/string_table.h"
#include "base/unicode_nfc.h"
#include "tokenizers/merge_table.h"
#include "tokenizers/pre_tokenizer.h"
#include "tokenizers/token_index.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

struct ByteBpeVocabulary {
  StringTable tokens;         // in the letters of byte_alphabet.h, but for added ones
  std::vector<uint32_t> ids;  // one a token; empty where a token's position is its id
  StringTable merges;         // "left right", best first
  // Tokens that were added to a finished vocabulary: their text is as it stands, and no word becomes one. One entry a
  // token; empty where there are none.
  std::vector<bool> added;
};

struct ByteBpeSettings {
  WordPattern pattern = WordPattern::gpt2;
  bool ignore_merges = false;       // a word that is a token is that token, whatever the merges say
  bool nfc = false;                 // text is brought into Normalization Form C first
  std::optional<uint32_t> unknown;  // stands for bytes that are no token; they are skipped where it is absent
};

class ByteBpe final : public Tokenizer {
 public:
  // Refuses lists that contradict each other, ids that occur twice, and merges of what are no tokens.
  static Result<std::unique_ptr<Tokenizer>> create(ByteBpeVocabulary vocabulary, const ByteBpeSettings& settings);

  void encode(std::string_view text, bool begins, std::vector<uint32_t>& ids) const override;
  void decode(uint32_t id, bool begins, std::string& bytes) const override;
  std::string_view token(uint32_t id) const override;
  std::optional<uint32_t> find(std::string_view token) const override;
  size_t size() const override { return size_; }

 private:
  ByteBpe(ByteBpeVocabulary vocabulary, const ByteBpeSettings& settings, TokenIndex index, MergeTable merges);
  static Result<std::vector<TokenMerge>> resolve_merges(const ByteBpeVocabulary& vocabulary, const TokenIndex& index);
  void find_bytes(std::optional<uint32_t> unknown);
  Status order_ids();

  void encode_valid(std::string_view text, std::vector<uint32_t>& ids) const;
  void encode_words(std::string_view text, std::vector<uint32_t>& ids) const;
  std::optional<uint32_t> whole_word(std::string_view word, std::string& letters) const;
  std::optional<uint32_t> position_of(uint32_t id) const;
  bool is_added(uint32_t position) const { return !added_.empty() && added_[position]; }
  uint32_t id_at(uint32_t position) const { return ids_.empty() ? position : ids_[position]; }

  // Within, a token goes by its position.
  StringTable tokens_;
  std::vector<uint32_t> ids_, by_id_;  // by_id_: positions, ascending by id; both empty where position is id
  std::vector<bool> added_;
  TokenIndex index_;
  MergeTable merges_;
  size_t size_ = 0;
  WordPattern pattern_;
  size_t longest_whole_word_ = 0;  // in bytes of its letters; 0 where merges decide alone
  std::optional<NfcNormalizer> nfc_;
  uint32_t bytes_[256];  // position of each byte's token, or kSkipped
};

}  // namespace quintet
