#pragma once
// Converts text to the ids of a model and back: tokenizer and special tokens.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/tokenize/tokenizer_pipeline.h"
#include "tokenizers/special_tokens.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

struct EncodeOptions {
  bool add_bos = true;         // add the beginning-of-sequence token, if the model uses one
  bool parse_special = false;  // parse special tokens written out in the text
};

class TextCodec {
 public:
  // Moves the vocabulary out of the description. For a description without a tokenizer, or with a `custom` one, the
  // codec only supports ids.
  static Result<TextCodec> create(ModelDescription& description,
                                  CreateTokenizer& create_tokenizer = quintet::create_tokenizer);

  bool has_tokenizer() const { return tokenizer_ != nullptr; }
  // UNSUPPORTED without a tokenizer, here and below.
  Result<std::vector<uint32_t>> encode(std::string_view text, const EncodeOptions& options) const;
  // The ids of a text, in which special tokens are parsed and to which none is added, with the place of each.
  struct PlacedIds {
    std::vector<uint32_t> ids;
    std::vector<TokenPlace> places;
  };
  Result<PlacedIds> encode_with_places(std::string_view text) const;
  // Returns the text of ids. INPUT for an id outside the vocabulary.
  Result<std::string> decode(std::span<const uint32_t> ids, bool skip_special = true) const;
  // Appends the bytes of one id, for streams; `begins`: only special tokens precede it.
  void append_bytes(uint32_t id, bool begins, std::string& bytes) const;
  // The bytes of one id where it is not the first; of a special token, its vocabulary entry. Empty without a tokenizer.
  std::string written(uint32_t id) const;
  // Returns the vocabulary entry of an id, nothing for an id outside the vocabulary.
  std::string_view token(uint32_t id) const;
  // Returns the id of the token with this text.
  std::optional<uint32_t> find(std::string_view token) const;

  // Returns the ids of a formatted conversation: special tokens are parsed where the template wrote them, and nothing
  // is added.
  Result<std::vector<uint32_t>> encode_chat(std::string_view text, const TextOrigin& origin) const;
  // The chat templates of its description as JSON (describe_chat()).
  std::string chat(const ModelDescription& description) const;

  size_t vocabulary_size() const { return tokenizer_ ? tokenizer_->size() : 0; }
  std::optional<uint32_t> bos() const { return bos_; }
  bool adds_bos() const { return adds_bos_; }
  // Whether an id ends a generation (TokenizerDescription::ends).
  bool is_end(uint32_t id) const;
  // Control tokens have no text in the output.
  bool is_special(uint32_t id) const;

 private:
  class Tokens;

  void take_added_tokens(std::vector<AddedToken> tokens, bool seeks_user_defined, const SpecialIds& special);
  // Appends the ids of a text. `spelled` finds the tokens that are written out in it.
  Status append_ids(std::string_view text, const SpecialTokens& spelled, const TextOrigin& origin,
                    Tokens& tokens) const;
  // Appends the ids of a text without such tokens.
  Status append_part(std::string_view text, bool begins, Tokens& tokens) const;

  std::unique_ptr<const Tokenizer> tokenizer_;
  SpecialTokens special_tokens_;  // found with parse_special and in chat templates
  SpecialTokens added_tokens_;    // found in every text
  TextNormalizer normalizer_;
  SpecialTokens normalized_tokens_;  // found in every text after that
  std::optional<uint32_t> bos_;
  bool adds_bos_ = false;
  bool begins_once_ = false;
  std::vector<uint32_t> ends_;
  std::vector<uint32_t> special_ids_;  // ascending
};

}  // namespace quintet
