#include "formats/alt/token_types.h"

#include <iterator>

namespace quintet::alt {
namespace {

// The specification's TokenType.
enum : int32_t { kNormal, kByte, kControl, kUnknown, kUnused, kBos, kEos, kPad };

// What the numbers mean for a token that neither its text nor the header explains; BYTE says nothing then.
constexpr PieceType kTableTypes[] = {PieceType::normal, PieceType::normal,  PieceType::control, PieceType::unknown,
                                     PieceType::unused, PieceType::control, PieceType::control, PieceType::control};
constexpr PieceType kReferenceTypes[] = {PieceType::normal,       PieceType::unknown, PieceType::control,
                                         PieceType::user_defined, PieceType::normal,  PieceType::unused,
                                         PieceType::control,      PieceType::control, PieceType::control};

bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); }

}  // namespace

bool is_byte_text(std::string_view text) {
  return text.size() == 6 && text.starts_with("<0x") && is_hex_digit(text[3]) && is_hex_digit(text[4]) &&
         text[5] == '>';
}

bool is_token_type(int32_t type, bool is_reference) {
  const size_t types = is_reference ? std::size(kReferenceTypes) : std::size(kTableTypes);
  return type >= 0 && static_cast<size_t>(type) < types;
}

PieceType piece_type(std::string_view text, uint32_t id, int32_t type, bool is_reference, const SpecialIds& special) {
  if (id == special.unk) return PieceType::unknown;
  if (id == special.bos || id == special.eos || id == special.pad) return PieceType::control;
  if (is_byte_text(text)) return PieceType::byte;
  return is_reference ? kReferenceTypes[type] : kTableTypes[type];
}

std::optional<int32_t> token_type(PieceType type, uint32_t id, const SpecialIds& special) {
  if (id == special.unk) return kUnknown;
  if (id == special.bos) return kBos;
  if (id == special.eos) return kEos;
  if (id == special.pad) return kPad;
  switch (type) {
    case PieceType::normal:
      return kNormal;
    case PieceType::unknown:
      return kUnknown;
    case PieceType::control:
      return kControl;
    case PieceType::unused:
      return kUnused;
    case PieceType::byte:
      return kByte;
    case PieceType::user_defined:
      break;
  }
  return std::nullopt;
}

}  // namespace quintet::alt
