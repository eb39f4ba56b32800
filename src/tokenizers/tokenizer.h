#pragma once
// What turns text into token ids and back, whatever its kind. Special tokens are not its matter:
// tokenizers/special_tokens.h parts text at them, and runtime/text/text_codec.h adds those of begin and end.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Appends the ids of a text. Any bytes are taken; ill-formed UTF-8 counts as U+FFFD. `begins`: the text stands at the
  // very beginning (where SentencePiece puts its dummy prefix).
  virtual void encode(std::string_view text, bool begins, std::vector<uint32_t>& ids) const = 0;

  // Appends the bytes that an id stands for, not necessarily whole characters; nothing for control tokens. `begins`:
  // the id is the first of a text (SentencePiece takes its dummy prefix away). Requires id < size().
  virtual void decode(uint32_t id, bool begins, std::string& bytes) const = 0;

  // The vocabulary's own text of an id, for people to read.
  virtual std::string_view token(uint32_t id) const = 0;
  // The id of that text, of several the last; nothing where no token has it.
  virtual std::optional<uint32_t> find(std::string_view token) const = 0;
  virtual size_t size() const = 0;
};

}  // namespace quintet
