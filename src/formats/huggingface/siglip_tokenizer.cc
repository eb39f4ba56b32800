#include "formats/huggingface/siglip_tokenizer.h"

#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "formats/other_files.h"
#include "formats/sentencepiece/model_proto.h"
#include "formats/sentencepiece/settings.h"

namespace quintet::huggingface {
namespace {

// Python's string.punctuation.
constexpr const char* kPunctuation = R"([!-/:-@\[-`{-~])";
// SentencePiece's mark of a space counts as one.
constexpr const char* kSpaces = "[\\s\u2581]+";

void put_in_front(std::vector<NormalizerStep> steps, TokenizerDescription& tokenizer) {
  for (NormalizerStep& step : tokenizer.normalizer) steps.push_back(std::move(step));
  tokenizer.normalizer = std::move(steps);
}

void lower_and_simplify(TokenizerDescription& tokenizer) {
  put_in_front({{.kind = NormalizerKind::lowercase},
                {.kind = NormalizerKind::replace, .pattern = kPunctuation},
                {.kind = NormalizerKind::replace, .pattern = kSpaces, .content = " "},
                {.kind = NormalizerKind::strip, .left = true, .right = true}},
               tokenizer);
}

Result<TokenizerDescription> read_pieces(std::string_view content) {
  QUINTET_CHECK(check_kind(content, Expected::text));
  QUINTET_TRY(TokenizerDescription tokenizer, sentencepiece::read_model_proto(as_bytes(content)));
  if (!tokenizer.special.eos) return format_error(Reason::missing, 0, "no end token");
  SentencePieceDescription& pieces = *tokenizer.sentencepiece();
  QUINTET_TRY(pieces.settings, sentencepiece::read_settings(pieces.proto));
  return tokenizer;
}

}  // namespace

Result<TokenizerDescription> read_siglip_tokenizer(std::string_view content) {
  auto tokenizer = read_pieces(content);
  if (!tokenizer) {
    tokenizer.error().detail = formatted("{}: {}", kSiglipPieces, tokenizer.error().detail);
    return tokenizer;
  }
  tokenizer->sentencepiece()->settings->add_dummy_prefix = true;
  tokenizer->add_bos = false;
  tokenizer->add_eos = true;
  lower_and_simplify(*tokenizer);
  return tokenizer;
}

void canonicalize_texts(TokenizerDescription& tokenizer) {
  lower_and_simplify(tokenizer);
  put_in_front({{.kind = NormalizerKind::replace, .pattern = "_", .content = " "}}, tokenizer);
}

}  // namespace quintet::huggingface
