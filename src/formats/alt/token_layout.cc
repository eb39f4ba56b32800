#include "formats/alt/token_layout.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace quintet::alt {
namespace {

// The specification's TokenType.
enum : int32_t { kNormal, kByte, kControl, kUnknown, kUnused, kBos, kEos, kPad };

// The types of tokens that neither their text nor the header determines. BYTE has no meaning for these.
constexpr PieceType kTableTypes[] = {PieceType::normal, PieceType::normal,  PieceType::control, PieceType::unknown,
                                     PieceType::unused, PieceType::control, PieceType::control, PieceType::control};
constexpr PieceType kReferenceTypes[] = {PieceType::normal,       PieceType::unknown, PieceType::control,
                                         PieceType::user_defined, PieceType::normal,  PieceType::unused,
                                         PieceType::control,      PieceType::control, PieceType::control};

bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); }

Status read_text_field(ByteReader& in, Token& token) {
  token.text_at = in.offset();
  QUINTET_TRY(token.text, read_text(in, "a token"));
  return {};
}

Status read_score_and_type(ByteReader& in, Token& token) {
  token.score_at = in.offset();
  QUINTET_TRY(token.score, in.read<float>());
  token.type_at = in.offset();
  QUINTET_TRY(token.type, in.read<int32_t>());
  return {};
}

// A reader at the first token; nothing if there is none.
std::optional<ByteReader> at_tokens(Bytes bytes, const Section& section, const TokenLayout& layout) {
  ByteReader in(bytes, section.fields_at());
  if (!in.bytes(layout.tokens_at())) return std::nullopt;
  return in;
}

std::optional<uint64_t> measure(Bytes bytes, const Section& section, const TokenLayout& layout, uint32_t count) {
  auto in = at_tokens(bytes, section, layout);
  for (uint32_t id = 0; in && id < count; ++id) {
    if (!read_token(*in, layout)) return std::nullopt;
  }
  return in ? std::optional(in->offset() - section.fields_at()) : std::nullopt;
}

// The reference writer leaves the ids of the tokens out of the size (docs/formats/alt.md).
bool fits(const Section& section, const TokenLayout& layout, uint64_t fields, uint32_t count) {
  return size_fits(section, fields) || (layout.is_reference && size_fits(section, fields, kTokenIdBytes * count));
}

// The tokens that are valid under a layout that does not match.
struct Walk {
  uint32_t tokens = 0;      // complete tokens with known types
  uint64_t fields = 0;      // up to their end
  bool meets_size = false;  // whether the section ends between two tokens, according to its size
  Status after;             // error of the token after them
};

Status check_walked(Result<Token> read, uint32_t id, const TokenLayout& layout) {
  QUINTET_TRY(const Token token, std::move(read));
  const bool id_is_right = !layout.is_reference || token.id == static_cast<int32_t>(id);
  if (id_is_right && is_token_type(token.type, layout.is_reference)) return {};
  return format_error(Reason::malformed, token.text_at,
                      "token {} has a wrong length: the bytes after it are not a token", id);
}

Walk walk(Bytes bytes, const Section& section, const TokenLayout& layout, uint32_t count) {
  Walk walk;
  auto in = at_tokens(bytes, section, layout);
  while (in && (walk.tokens < count || walk.fields < section.size)) {
    walk.after = check_walked(read_token(*in, layout), walk.tokens, layout);
    if (!walk.after) break;
    ++walk.tokens;
    walk.fields = in->offset() - section.fields_at();
    walk.meets_size |= walk.fields == section.size;
  }
  return walk;
}

// The number of tokens, the size of the section, or a token is wrong.
Failure blame(Bytes bytes, const Section& section, uint32_t count) {
  Walk best;
  for (const TokenLayout& layout : kTokenLayouts) {
    Walk next = walk(bytes, section, layout, count);
    if (&layout == kTokenLayouts || next.tokens > best.tokens) best = std::move(next);
  }
  if (best.meets_size) {
    return format_error(Reason::mismatch, section.fields_at() + tokenizer_at::kCount,
                        "the tokenizer section does not contain {} tokens", count);
  }
  if (best.tokens < count && !best.after) return failure_of(std::move(best.after));
  return wrong_size(section, formatted("{} tokens need a different number", count));
}

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

Result<Token> read_token(ByteReader& in, const TokenLayout& layout) {
  Token token;
  if (layout.is_reference) {
    QUINTET_CHECK(read_score_and_type(in, token));
    token.id_at = in.offset();
    QUINTET_TRY(token.id, in.read<int32_t>());
    QUINTET_CHECK(read_text_field(in, token));
  } else {
    QUINTET_CHECK(read_text_field(in, token));
    QUINTET_CHECK(read_score_and_type(in, token));
  }
  return token;
}

Result<FittingLayout> find_layout(Bytes bytes, const Section& section, uint32_t count) {
  for (const TokenLayout& layout : kTokenLayouts) {
    const auto fields = measure(bytes, section, layout, count);
    if (fields && fits(section, layout, *fields, count)) return FittingLayout{layout, *fields};
  }
  return blame(bytes, section, count);
}

}  // namespace quintet::alt
