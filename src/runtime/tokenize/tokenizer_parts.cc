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

SentencePieceSettings settings_of(sentencepiece::Settings read) {
  const bool unigram = read.model == sentencepiece::ModelType::unigram;
  return {.model = unigram ? SentencePieceModel::unigram : SentencePieceModel::bpe,
          .byte_fallback = read.byte_fallback,
          .unknown_id = {},
          .unknown_surface = std::move(read.unknown_surface),
          .add_dummy_prefix = read.add_dummy_prefix,
          .remove_extra_whitespaces = read.remove_extra_whitespaces,
          .escape_whitespaces = read.escape_whitespaces,
          .treat_whitespace_as_suffix = read.treat_whitespace_as_suffix,
          .character_map = std::move(read.character_map),
          .prefixes_every_part = read.prefixes_every_part,
          .prefixes_no_space = read.prefixes_no_space,
          .splits_words = read.splits_words,
          .splits_white_space = read.splits_white_space,
          .keeps_trailing_space = read.keeps_trailing_space,
          .as_huggingface = read.as_huggingface};
}

Result<SentencePieceSettings> sentencepiece_settings(TokenizerDescription& tokenizer) {
  SentencePieceSettings settings;
  if (tokenizer.settings) {
    settings = settings_of(*std::move(tokenizer.settings));
  } else if (!tokenizer.bytes.empty()) {
    QUINTET_TRY(sentencepiece::Settings read, sentencepiece::read_settings(tokenizer.bytes));
    settings = settings_of(std::move(read));
  }
  settings.unknown_id = tokenizer.special.unk;
  return settings;
}

Result<TokenizerParts> create_sentencepiece_parts(ModelDescription& model) {
  TokenizerDescription& description = model.tokenizer;
  TokenizerParts parts;
  // Text between added tokens is a part of its own there.
  if (description.settings && description.settings->as_huggingface) parts.seeks_user_defined = true;
  if (description.settings && description.settings->prefixes_first_part) parts.begins_once = true;
  QUINTET_TRY(SentencePieceSettings settings, sentencepiece_settings(description));
  parts.marked = marked_tokens(description);
  QUINTET_TRY(TextNormalizer normalizer, take_normalizer(description, parts));
  parts.wants_bos = true;
  std::vector<PieceKind> kinds;
  kinds.reserve(description.piece_types.size());
  for (const PieceType type : description.piece_types) kinds.push_back(static_cast<PieceKind>(type));
  QUINTET_TRY(parts.tokenizer, create_sentencepiece({.pieces = std::move(description.tokens),
                                                     .scores = std::move(description.scores),
                                                     .kinds = std::move(kinds)},
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
  const BertNormalizer& normalizer = description.bert_normalizer;
  const BertRules rules = {.clean_text = normalizer.clean_text,
                           .handle_chinese_chars = normalizer.handle_chinese_chars,
                           .strip_accents = normalizer.strip_accents,
                           .lowercase = normalizer.lowercase};
  QUINTET_TRY(WordPiece wordpiece, WordPiece::create(std::move(description.tokens), specials, rules));
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
      return create_sentencepiece_parts(model);
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
