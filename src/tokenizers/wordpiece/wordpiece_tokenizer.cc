#include "tokenizers/wordpiece/wordpiece_tokenizer.h"

namespace quintet {
Status WordPieceTokenizer::encode(std::string_view text, bool, std::vector<uint32_t>& ids) const {
  wordpiece_.encode_plain(text, ids);
  return {};
}

void WordPieceTokenizer::decode(uint32_t id, bool begins, std::string& bytes) const {
  std::string_view text = wordpiece_.token(id);
  if (!begins) {
    if (text.starts_with(kContinuation)) {
      text.remove_prefix(kContinuation.size());
    } else {
      bytes += ' ';
    }
  }
  bytes += text;
}

}  // namespace quintet
