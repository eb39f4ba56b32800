#pragma once
// The tokens of the tokenizer section and the ways in which they are laid out: that of the specification's tables, the
// same without `seq_len`, and that of its reference writer (docs/formats/alt.md). Nothing in a section says which one
// it has, but its size and its text do.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "base/result.h"
#include "formats/alt/section.h"
#include "formats/model_description.h"

namespace quintet::alt {

// <0x00> to <0xFF>.
bool is_byte_text(std::string_view text);

// Whether the number is one of the enumeration: that of the specification's TokenType, or that of the reference writer.
bool is_token_type(int32_t type, bool is_reference);

// The header's ids and the text of byte tokens count more than the number (docs/formats/alt.md).
PieceType piece_type(std::string_view text, uint32_t id, int32_t type, bool is_reference, const SpecialIds& special);

// The number of the specification's TokenType; nothing for user-defined pieces, which it has not.
std::optional<int32_t> token_type(PieceType type, uint32_t id, const SpecialIds& special);

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

// The layout under which `count` tokens are of the section's size and every one is UTF-8, and the bytes of its fields.
struct FittingLayout {
  TokenLayout layout;
  uint64_t fields = 0;
};

// `bytes` begin with the section's fields. Where no layout fits, the error blames the field that is most likely wrong.
Result<FittingLayout> find_layout(Bytes bytes, const Section& section, uint32_t count);

}  // namespace quintet::alt
