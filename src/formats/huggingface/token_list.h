#pragma once
// The tokens of a tokenizer.json: its model's vocabulary and the tokens added to it. And which of them begin, end and
// pad: as texts in tokenizer_config.json and special_tokens_map.json, as ids in config.json and generation_config.json.

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
  PieceType type = PieceType::normal;  // of an added one `control` where it is special, else `user_defined`
  // Of an added one: whether it takes the white space on that side.
  bool trims_left = false;
  bool trims_right = false;
};

// `added_tokens` of a tokenizer.json, or `added_tokens_decoder` of a tokenizer_config.json; none where there is
// neither. The texts stay the JSON's.
Result<std::vector<ListedToken>> added_tokens(const Json& json);

// Notes those of them that take white space.
void set_trims(const std::vector<ListedToken>& tokens, TokenizerDescription& tokenizer);

class TokenList {
 public:
  // The texts stay the JSON's.
  static Result<TokenList> read(const Json& tokenizer);

  // Ascending by id; ids and texts are unique.
  const std::vector<ListedToken>& tokens() const { return tokens_; }
  // Index in tokens(); nothing where there is no such token.
  std::optional<size_t> find(std::string_view text) const;

 private:
  Status order_by_id(std::vector<ListedToken> tokens);
  Status index_texts();

  std::vector<ListedToken> tokens_;
  std::vector<const ListedToken*> by_text_;
};

// The ids of the tokens that the file names win over what the tokenizer had. A text that is no token changes nothing.
Status set_named_specials(const Json& file, TokenizerDescription& tokenizer);

// From config.json and generation_config.json: special ids where nothing else told, and every id that ends an answer.
Status fill_special_ids(const Json& config, TokenizerDescription& tokenizer);

}  // namespace quintet::huggingface
