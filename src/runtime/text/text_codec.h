#pragma once
// Text to the ids that a model takes and back: its tokenizer, its special tokens and its chat template.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/text/tokenizer_parts.h"
#include "tokenizers/chat_template.h"
#include "tokenizers/special_tokens.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

struct EncodeOptions {
  bool add_bos = true;         // the token of begin, where the model wants one
  bool parse_special = false;  // special tokens spelled out in the text become their ids
};

class TextCodec {
 public:
  // Takes the vocabulary out of the description. A description without a tokenizer, or with one of an own kind
  // (`custom`), gives a codec that takes and gives ids only.
  static Result<TextCodec> create(ModelDescription& description);

  bool has_tokenizer() const { return tokenizer_ != nullptr; }
  // UNSUPPORTED without a tokenizer, here and below.
  Result<std::vector<uint32_t>> encode(std::string_view text, const EncodeOptions& options) const;
  // The text of ids. INPUT for an id outside the vocabulary.
  Result<std::string> decode(std::span<const uint32_t> ids, bool skip_special = true) const;
  // Appends the bytes of one id, for streams; `begins`: nothing but special tokens stands before it.
  void append_bytes(uint32_t id, bool begins, std::string& bytes) const;
  // The vocabulary's own text of an id; empty outside of it.
  std::string_view token(uint32_t id) const;
  // Of the token with that text.
  std::optional<uint32_t> find(std::string_view token) const;

  // `named`: the model's own where it is absent; INPUT where the model names none.
  Result<std::vector<uint32_t>> encode_chat(std::span<const ChatMessage> messages,
                                            std::optional<ChatTemplate> named) const;

  size_t vocabulary_size() const { return tokenizer_ ? tokenizer_->size() : 0; }
  std::optional<uint32_t> bos() const { return bos_; }
  bool adds_bos() const { return adds_bos_; }
  // Ends a generation (TokenizerDescription::ends).
  bool is_end(uint32_t id) const;
  // Control tokens have no text in an answer.
  bool is_special(uint32_t id) const;

 private:
  void take_marked_tokens(std::vector<MarkedToken> marked, bool seeks_user_defined, const SpecialIds& special);
  // Tokens of the vocabulary that are spelled out in the text are those of `spelled`.
  void append_ids(std::string_view text, const SpecialTokens& spelled, bool begins, std::vector<uint32_t>& ids) const;

  std::unique_ptr<const Tokenizer> tokenizer_;
  SpecialTokens special_tokens_;  // what parse_special and chat templates find
  SpecialTokens added_tokens_;    // what is found in every text
  std::optional<ChatTemplate> chat_template_;
  std::optional<uint32_t> bos_;
  bool adds_bos_ = false;
  std::vector<uint32_t> ends_;
  std::vector<uint32_t> special_ids_;  // ascending
};

}  // namespace quintet
