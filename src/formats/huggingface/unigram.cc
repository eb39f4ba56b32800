#include "formats/huggingface/unigram.h"

#include <string>
#include <string_view>

#include "formats/huggingface/post_processor.h"
#include "formats/huggingface/spaces.h"
#include "formats/huggingface/token_list.h"
#include "formats/huggingface/tokenizer_json.h"
#include "formats/sentencepiece/settings.h"
#include "formats/special_tokens.h"

namespace quintet::huggingface {
namespace {

Status add(std::string_view text, float score, PieceType type, TokenizerDescription& tokenizer) {
  if (!tokenizer.tokens.add(text)) return memory_error(StringTable::kMaxBytes);
  tokenizer.sentencepiece()->scores.push_back(score);
  tokenizer.piece_types.push_back(type);
  return {};
}

// [["<s>", 0.0], ...]: the id is the place in the list.
Status read_pieces(const Json& model, TokenizerDescription& tokenizer) {
  const Json::Array* pieces = model.get("vocab").as_array();
  if (!pieces) return format_error(Reason::missing, 0, "no vocab");
  const bool has_bytes = is_flag(model, "byte_fallback", true, false);
  for (const Json& piece : *pieces) {
    const Json::Array* pair = piece.as_array();
    const bool is_pair = pair && pair->size() == 2 && (*pair)[0].as_string() && (*pair)[1].as_double();
    if (!is_pair) {
      return format_error(Reason::malformed, 0, "piece {} is not a text with a score", tokenizer.size());
    }
    const std::string& text = *(*pair)[0].as_string();
    const PieceType type = has_bytes && is_byte_token(text) ? PieceType::byte : PieceType::normal;
    QUINTET_CHECK(add(text, static_cast<float>(*(*pair)[1].as_double()), type, tokenizer));
  }
  const auto unknown = model.get("unk_id").as_uint();
  if (!unknown) return {};
  if (*unknown >= tokenizer.size()) return format_error(Reason::out_of_range, 0, "unk_id is not the id of a piece");
  tokenizer.special.unk = static_cast<uint32_t>(*unknown);
  tokenizer.piece_types[*tokenizer.special.unk] = PieceType::unknown;
  return {};
}

// XLM-RoBERTa's special tokens are known by their texts.
void name_special_tokens(TokenizerDescription& tokenizer) {
  tokenizer.special.bos = tokenizer.special.cls = token_id(tokenizer, "<s>");
  tokenizer.special.eos = tokenizer.special.sep = token_id(tokenizer, "</s>");
  tokenizer.special.pad = token_id(tokenizer, "<pad>");
  tokenizer.special.mask = token_id(tokenizer, "<mask>");
}

}  // namespace

Result<TokenizerDescription> read_unigram(const Json& tokenizer) {
  TokenizerDescription description;
  SentencePieceDescription& pieces = description.kind.emplace<SentencePieceDescription>();
  QUINTET_CHECK(read_spaces(tokenizer, description));
  pieces.settings->model = SentencePieceModel::unigram;
  pieces.settings->byte_fallback = is_flag(tokenizer.get("model"), "byte_fallback", true, false);
  QUINTET_CHECK(read_pieces(tokenizer.get("model"), description));
  QUINTET_TRY(const auto added, added_tokens(tokenizer));
  QUINTET_CHECK(mark_added(added, description));
  name_special_tokens(description);
  QUINTET_TRY(description.frame, read_frame(tokenizer.get("post_processor")));
  description.add_bos = tokens_ahead(description.frame) != 0;
  return description;
}

Result<TokenizerDescription> with_xlm_roberta_ids(const TokenizerDescription& model) {
  constexpr size_t kReplaced = 3;  // <unk>, <s> and </s>
  TokenizerDescription tokenizer;
  const SentencePieceDescription& pieces = *model.sentencepiece();
  QUINTET_TRY(SentencePieceSettings settings, sentencepiece::read_settings(pieces.proto));
  settings.prefixes_every_part = true;
  tokenizer.kind.emplace<SentencePieceDescription>().settings = std::move(settings);
  for (const std::string_view text : {"<s>", "<pad>", "</s>"}) {
    QUINTET_CHECK(add(text, 0, PieceType::control, tokenizer));
  }
  QUINTET_CHECK(add("<unk>", 0, PieceType::unknown, tokenizer));
  for (size_t id = kReplaced; id < model.size(); ++id) {
    QUINTET_CHECK(add(model.tokens[id], pieces.scores[id], model.piece_types[id], tokenizer));
  }
  const auto mask = static_cast<uint32_t>(tokenizer.size());
  QUINTET_CHECK(add("<mask>", 0, PieceType::control, tokenizer));
  tokenizer.trims_left = {mask};
  name_special_tokens(tokenizer);
  tokenizer.special.unk = 3;
  using enum FramePart::Kind;
  const FramePart begin{.kind = token, .id = 0}, end{.kind = token, .id = 2};
  tokenizer.frame.single = {begin, {.kind = first}, end};
  tokenizer.frame.pair = {begin, {.kind = first}, end, end, {.kind = second}, end};
  tokenizer.add_bos = true;
  return tokenizer;
}

}  // namespace quintet::huggingface
