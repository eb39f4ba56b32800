#include "runtime/tokenize/tokenizer_parts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "formats/pre_tokenizers.h"
#include "formats/sentencepiece/settings.h"
#include "formats/special_tokens.h"
#include "runtime/tokenize/token_types.h"
#include "tokenizers/bpe/byte_bpe.h"
#include "tokenizers/sentencepiece/sentencepiece.h"
#include "tokenizers/wordpiece/wordpiece_tokenizer.h"

namespace quintet {
namespace {

bool is_marked(PieceType type) {
  return type == PieceType::control || type == PieceType::unknown || type == PieceType::user_defined;
}

std::vector<MarkedToken> marked_tokens(const TokenizerDescription& description) {
  std::vector<MarkedToken> marked;
  for (size_t position = 0; position < description.piece_types.size(); ++position) {
    const PieceType type = description.piece_types[position];
    if (!is_marked(type)) continue;
    const uint32_t id = description.ids.empty() ? static_cast<uint32_t>(position) : description.ids[position];
    marked.push_back(
        {.token = {.text = std::string(description.tokens[position]),
                   .id = id,
                   .trims_left = std::ranges::binary_search(description.trims_left, id),
                   .trims_right = std::ranges::binary_search(description.trims_right, id),
                   .is_word = std::ranges::binary_search(description.words, id)},
         .type = type,
         .is_normalized = type == PieceType::user_defined && std::ranges::binary_search(description.normalized, id)});
  }
  return marked;
}

// What the tokenizer is to do. Tokens that are sought in normalized text are normalized like it.
Result<TextNormalizer> take_normalizer(TokenizerDescription& description, TokenizerParts& parts) {
  QUINTET_TRY(TextNormalizer normalizer, TextNormalizer::create(std::move(description.normalizer)));
  if (description.normalized.empty()) return normalizer;
  for (MarkedToken& each : parts.marked) {
    if (!each.is_normalized) continue;
    std::string buffer;
    QUINTET_TRY(const std::string_view text, normalizer.normalize(each.token.text, buffer));
    each.token.text = std::string(text);
  }
  parts.normalizer = std::move(normalizer);
  return TextNormalizer();
}

// Vocabularies whose unknown token is also that of beginning or end have none: bytes without a token are left out.
std::optional<uint32_t> unknown_id(const SpecialIds& special) {
  return special.unk == special.bos || special.unk == special.eos ? std::nullopt : special.unk;
}

Result<TokenizerParts> create_bpe(TokenizerDescription& description) {
  QUINTET_TRY(const std::vector<SplitStep> steps, pre_tokenizer_steps(description));
  QUINTET_TRY(PreTokenizer pre_tokenizer, PreTokenizer::create(steps));
  TokenizerParts parts;
  parts.marked = marked_tokens(description);
  QUINTET_TRY(TextNormalizer normalizer, take_normalizer(description, parts));
  parts.seeks_user_defined = true;
  std::vector<bool> added(description.tokens.size());
  for (size_t i = 0; i < added.size(); ++i) added[i] = is_marked(description.piece_types[i]);
  QUINTET_TRY(parts.tokenizer, ByteBpe::create({.tokens = std::move(description.tokens),
                                                .ids = std::move(description.ids),
                                                .merges = std::move(description.merges),
                                                .added = std::move(added)},
                                               {.normalizer = std::move(normalizer),
                                                .pre_tokenizer = std::move(pre_tokenizer),
                                                .ignore_merges = description.ignore_merges,
                                                .unknown = unknown_id(description.special)}));
  return parts;
}

// Files that say nothing have Llama's settings.
Result<SentencePieceSettings> take_settings(TokenizerDescription& tokenizer) {
  if (tokenizer.settings) return *std::move(tokenizer.settings);
  if (tokenizer.bytes.empty()) return SentencePieceSettings();
  return sentencepiece::read_settings(tokenizer.bytes);
}

Result<TokenizerParts> create_sentencepiece_parts(TokenizerDescription& description) {
  TokenizerParts parts;
  QUINTET_TRY(SentencePieceSettings settings, take_settings(description));
  // Hugging Face splits a text at added tokens first, then tokenizes each piece alone.
  parts.seeks_user_defined = settings.as_huggingface;
  parts.begins_once = settings.prefixes_first_part;
  parts.marked = marked_tokens(description);
  QUINTET_TRY(TextNormalizer normalizer, take_normalizer(description, parts));
  parts.wants_bos = true;
  QUINTET_TRY(parts.tokenizer, create_sentencepiece({.pieces = std::move(description.tokens),
                                                     .scores = std::move(description.scores),
                                                     .types = std::move(description.piece_types),
                                                     .unknown_id = description.special.unk},
                                                    std::move(settings), std::move(normalizer)));
  return parts;
}

Result<std::unique_ptr<const Tokenizer>> create_wordpiece_tokenizer(TokenizerDescription& description) {
  const SpecialIds& special = description.special;
  if (!special.unk) {
    return fail({.code = Code::format, .reason = Reason::missing, .detail = "the WordPiece vocabulary has no [UNK]"});
  }
  const uint32_t unk = *special.unk;  // also stands for missing special tokens
  const WordPieceSpecials specials = {.pad = special.pad.value_or(unk),
                                      .unk = unk,
                                      .cls = special.cls.value_or(unk),
                                      .sep = special.sep.value_or(unk),
                                      .mask = special.mask.value_or(unk)};
  QUINTET_TRY(WordPiece wordpiece,
              WordPiece::create(std::move(description.tokens), specials, description.bert_normalizer));
  return std::make_unique<const WordPieceTokenizer>(std::move(wordpiece));
}

Result<TokenizerParts> create_wordpiece_parts(TokenizerDescription& description) {
  TokenizerParts parts;
  parts.marked = marked_tokens(description);
  parts.seeks_user_defined = true;
  const SpecialIds& special = description.special;
  for (const auto& id : {special.pad, special.unk, special.cls, special.sep, special.mask}) {
    const bool is_known = std::ranges::find(parts.marked, id, [](const MarkedToken& each) { return each.token.id; }) !=
                          parts.marked.end();
    if (id && *id < description.tokens.size() && !is_known) {
      parts.marked.push_back({.token = {.text = std::string(description.tokens[*id]), .id = *id}});
    }
  }
  QUINTET_TRY(parts.tokenizer, create_wordpiece_tokenizer(description));
  return parts;
}

Result<TokenizerParts> create_of_kind(ModelDescription& model) {
  switch (model.tokenizer.type) {
    case TokenizerType::bpe:
      return create_bpe(model.tokenizer);
    case TokenizerType::sentencepiece:
      return create_sentencepiece_parts(model.tokenizer);
    case TokenizerType::wordpiece:
      return create_wordpiece_parts(model.tokenizer);
    default:
      return TokenizerParts();
  }
}

}  // namespace

Result<TokenizerParts> create_tokenizer(ModelDescription& model) {
  TokenizerDescription& tokenizer = model.tokenizer;
  if (tokenizer.type == TokenizerType::bpe && tokenizer.piece_types.size() != tokenizer.tokens.size()) {
    tokenizer.piece_types = guess_bpe_token_types(tokenizer);
  }
  complete_end_tokens(tokenizer);
  QUINTET_TRY(TokenizerParts parts, create_of_kind(model));
  // Keeps only what the tokenizer does not have in its own form.
  TokenizerDescription rest;
  rest.type = model.tokenizer.type;
  rest.special = model.tokenizer.special;
  rest.ends = std::move(model.tokenizer.ends);
  rest.add_bos = model.tokenizer.add_bos;
  rest.add_eos = model.tokenizer.add_eos;
  rest.frame = std::move(model.tokenizer.frame);
  rest.stored_bytes = model.tokenizer.stored_bytes;
  model.tokenizer = std::move(rest);
  return parts;
}

}  // namespace quintet
