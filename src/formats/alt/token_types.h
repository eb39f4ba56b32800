#pragma once
// The types of tokens: numbers of the file, which two enumerations are in use for, and SentencePiece's.

#include <cstdint>
#include <optional>
#include <string_view>

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

}  // namespace quintet::alt
