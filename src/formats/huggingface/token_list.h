#pragma once
// The tokens of a tokenizer.json: its model's vocabulary and the added tokens. Also the special tokens: as texts in
// tokenizer_config.json and special_tokens_map.json, as ids in config.json and generation_config.json.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

struct ListedToken {
  uint32_t id = 0;
  std::string_view text;
  PieceType type = PieceType::normal;  // an added token is `control` if it is special, else `user_defined`
  // An added token may strip the white space on that side.
  bool trims_left = false;
  bool trims_right = false;
  bool is_word = false;        // it only counts as a separate word
  bool is_normalized = false;  // it is sought in normalized text
};

// `added_tokens` of a tokenizer.json, or `added_tokens_decoder` of a tokenizer_config.json; empty if there is neither.
// The strings belong to the JSON.
Result<std::vector<ListedToken>> added_tokens(const Json& json);

// Marks those that strip white space, are words, or are sought in text that the tokenizer has normalized.
void set_token_rules(const std::vector<ListedToken>& tokens, TokenizerDescription& tokenizer);

// Gives added tokens their types and rules; those that are not in the vocabulary follow it. Requires `piece_types`.
Status mark_added(const std::vector<ListedToken>& added, TokenizerDescription& tokenizer);

class TokenList {
 public:
  // The strings belong to the JSON.
  static Result<TokenList> read(const Json& tokenizer);

  // Ascending by id; ids and texts are unique.
  const std::vector<ListedToken>& tokens() const { return tokens_; }
  // Returns the index in tokens(); nothing if there is no such token.
  std::optional<size_t> find(std::string_view text) const;

 private:
  Status order_by_id(std::vector<ListedToken> tokens);
  Status index_texts();

  std::vector<ListedToken> tokens_;
  std::vector<const ListedToken*> by_text_;
};

// Returns the id of a token; nothing if the vocabulary does not have it.
std::optional<uint32_t> token_id(const TokenizerDescription& tokenizer, std::string_view text);

// Special tokens named by the file override those of the tokenizer. Unknown tokens change nothing.
Status set_named_specials(const Json& file, TokenizerDescription& tokenizer);

// Reads the special ids that are still unknown, and all end-of-sequence ids, from config.json or
// generation_config.json.
Status fill_special_ids(const Json& config, TokenizerDescription& tokenizer);

}  // namespace quintet::huggingface
