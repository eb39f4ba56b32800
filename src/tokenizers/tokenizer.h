#pragma once
// Converts text to token ids and back, for any kind of tokenizer. Special tokens are handled elsewhere:
// tokenizers/special_tokens.h splits text at them, and runtime/tokenize/text_codec.h adds those of beginning and end.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizers/token_places.h"

namespace quintet {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Appends the ids of a text. Any bytes are accepted; ill-formed UTF-8 counts as U+FFFD. `begins`: the text is at the
  // very start (where SentencePiece puts its dummy prefix). INPUT if a regular expression of the tokenizer takes too
  // many steps for it.
  Status encode(std::string_view text, bool begins, std::vector<uint32_t>& ids) const {
    return append(text, begins, ids, nullptr);
  }
  // Appends to `spelling` what each of the ids spells, after normalization.
  Status encode(std::string_view text, bool begins, std::vector<uint32_t>& ids, TokenSpelling& spelling) const {
    return append(text, begins, ids, &spelling);
  }
  // The normalized form of a part of a text before it is split, without the prefix of a text.
  virtual Result<std::string> normalized(std::string_view text) const = 0;

  // Appends the bytes of an id, not necessarily whole characters; nothing for control tokens. `begins`: the id is the
  // first of a text (where SentencePiece removes its dummy prefix). Requires id < size().
  virtual void decode(uint32_t id, bool begins, std::string& bytes) const = 0;

  // Returns the vocabulary entry of an id, for people to read.
  virtual std::string_view token(uint32_t id) const = 0;
  // Returns the id of the last token with this text; nothing if there is none.
  virtual std::optional<uint32_t> find(std::string_view token) const = 0;
  virtual size_t size() const = 0;

 protected:
  // `spelling`: null if it is not needed.
  virtual Status append(std::string_view text, bool begins, std::vector<uint32_t>& ids,
                        TokenSpelling* spelling) const = 0;
};

}  // namespace quintet
