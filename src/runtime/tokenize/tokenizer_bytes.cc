#include "runtime/tokenize/tokenizer_bytes.h"

#include "tokenizers/bpe/merge_table.h"
#include "tokenizers/token_index.h"

namespace quintet {

uint64_t vocabulary_bytes(uint64_t tokens) {
  constexpr uint64_t kBytesPerToken = 32;
  return tokens * kBytesPerToken;
}

uint64_t tokenizer_bytes(const TokenizerDescription& tokenizer) {
  uint64_t bytes = tokenizer.tokens.memory_bytes() + tokenizer.piece_types.size();
  if (tokenizer.size() == 0) return bytes;
  bytes += TokenIndex::bytes_for(tokenizer.size());
  if (const BpeDescription* bpe = tokenizer.bpe()) {
    bytes += MergeTable::bytes_for(bpe->merges.size()) + 2 * bpe->ids.size() * sizeof(uint32_t);
  } else if (const SentencePieceDescription* pieces = tokenizer.sentencepiece()) {
    bytes += pieces->scores.size() * sizeof(float);
  }
  return bytes;
}

}  // namespace quintet
