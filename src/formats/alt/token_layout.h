#pragma once
// The ways in which the tokenizer section is laid out: the one of the specification's tables, the same without
// `seq_len`, and the one of its reference writer (docs/formats/alt.md).

#include <cstdint>
#include <string_view>

#include "base/byte_reader.h"
#include "formats/model_description.h"

namespace quintet::alt {

// The numbers ahead of the tokens, in file order. Missing ids are -1.
namespace tokenizer_at {
constexpr size_t kCount = 0, kBos = 4, kEos = 8, kPad = 12, kUnk = 16, kIdsEnd = 20, kSeqLen = 20;
}
constexpr int32_t kNoId = -1;

struct TokenLayout {
  bool has_seq_len;
  bool is_reference;  // score, type, id, text instead of text, score, type; with another enumeration of types

  uint64_t tokens_at() const { return tokenizer_at::kIdsEnd + (has_seq_len ? sizeof(int32_t) : 0); }
};

// Best first: where two fit, the first counts.
constexpr TokenLayout kTokenLayouts[] = {{.has_seq_len = true, .is_reference = false},
                                         {.has_seq_len = false, .is_reference = false},
                                         {.has_seq_len = false, .is_reference = true}};

// Of a token, numbers only.
constexpr uint64_t kLeastTokenBytes = 12, kTokenIdBytes = 4;

struct Token {
  std::string_view text;
  float score = 0;
  int32_t type = 0;
  int32_t id = 0;                                              // with the reference's layout
  uint64_t text_at = 0, score_at = 0, type_at = 0, id_at = 0;  // places in the file; of the text that of its length
};

// Fails where the text does not fit what is left, or is not UTF-8.
Result<Token> read_token(ByteReader& in, const TokenLayout& layout);

}  // namespace quintet::alt
