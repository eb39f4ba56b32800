#include "formats/alt/token_layout.h"

#include "formats/alt/section.h"

namespace quintet::alt {
namespace {

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

}  // namespace

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

}  // namespace quintet::alt
