#pragma once
// The tokens of the tokenizer section and their possible layouts: that of the specification's tables, the same without
// `seq_len`, and that of the reference writer (docs/formats/alt.md). A section does not state which one it uses; its
// size and its text show it.

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

// Whether the number is valid in the enumeration of the specification's TokenType, or in that of the reference writer.
bool is_token_type(int32_t type, bool is_reference);

// The header's ids and the text of byte tokens take precedence over the number (docs/formats/alt.md).
PieceType piece_type(std::string_view text, uint32_t id, int32_t type, bool is_reference, const SpecialIds& special);

// The number of the specification's TokenType; nothing for user-defined pieces, which it does not have.
std::optional<int32_t> token_type(PieceType type, uint32_t id, const SpecialIds& special);

// The numbers before the tokens, in file order. Missing ids are -1.
namespace tokenizer_at {
constexpr size_t kCount = 0, kBos = 4, kEos = 8, kPad = 12, kUnk = 16, kIdsEnd = 20, kSeqLen = 20;
}
constexpr int32_t kNoId = -1;

struct TokenLayout {
  bool has_seq_len;
  bool is_reference;  // score, type, id, text instead of text, score, type; with another enumeration of types

  uint64_t tokens_at() const { return tokenizer_at::kIdsEnd + (has_seq_len ? sizeof(int32_t) : 0); }
};

// Best first: if two match, the first is used.
constexpr TokenLayout kTokenLayouts[] = {{.has_seq_len = true, .is_reference = false},
                                         {.has_seq_len = false, .is_reference = false},
                                         {.has_seq_len = false, .is_reference = true}};

// The numbers of a token.
constexpr uint64_t kMinTokenBytes = 12, kTokenIdBytes = 4;

struct Token {
  std::string_view text;
  float score = 0;
  int32_t type = 0;
  int32_t id = 0;                                              // with the reference's layout
  uint64_t text_at = 0, score_at = 0, type_at = 0, id_at = 0;  // positions in the file; for the text that of its length
};

// Fails if the text exceeds the remaining bytes or is not UTF-8.
Result<Token> read_token(ByteReader& in, const TokenLayout& layout);

// The layout in which `count` tokens match the size of the section and all are UTF-8, and the size of its fields.
struct FittingLayout {
  TokenLayout layout;
  uint64_t fields = 0;
};

// `bytes` start with the section's fields. If no layout matches, the error blames the field that is most likely wrong.
Result<FittingLayout> find_layout(Bytes bytes, const Section& section, uint32_t count);

}  // namespace quintet::alt
