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
#include "tokenizers/wordpiece/wordpiece.h"

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
    const uint32_t id = description.id_at(position);
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

Result<TokenizerParts> bpe_parts(TokenizerDescription& description) {
  TokenizerParts parts;
  parts.marked = marked_tokens(description);
  parts.seeks_user_defined = true;
  BpeDescription bpe = std::move(*description.bpe());
  QUINTET_TRY(const std::vector<SplitStep> steps, pre_tokenizer_steps(bpe));
  QUINTET_TRY(PreTokenizer pre_tokenizer, PreTokenizer::create(steps));
  QUINTET_TRY(TextNormalizer normalizer, take_normalizer(description, parts));
  std::vector<bool> added(description.tokens.size());
  for (size_t i = 0; i < added.size(); ++i) added[i] = is_marked(description.piece_types[i]);
  QUINTET_TRY(parts.tokenizer, ByteBpe::create({.tokens = std::move(description.tokens),
                                                .ids = std::move(bpe.ids),
                                                .merges = std::move(bpe.merges),
                                                .added = std::move(added)},
                                               {.normalizer = std::move(normalizer),
                                                .pre_tokenizer = std::move(pre_tokenizer),
                                                .ignore_merges = bpe.ignore_merges,
                                                .unknown = unknown_id(description.special)}));
  return parts;
}

// Files that say nothing have Llama's settings.
Result<SentencePieceSettings> take_settings(SentencePieceDescription& description) {
  if (description.settings) return *std::move(description.settings);
  if (description.proto.empty()) return SentencePieceSettings();
  return sentencepiece::read_settings(description.proto);
}

Result<TokenizerParts> sentencepiece_parts(TokenizerDescription& description) {
  TokenizerParts parts;
  SentencePieceDescription pieces = std::move(*description.sentencepiece());
  QUINTET_TRY(SentencePieceSettings settings, take_settings(pieces));
  // Hugging Face splits a text at added tokens first, then tokenizes each piece alone.
  parts.seeks_user_defined = settings.as_huggingface;
  parts.begins_once = settings.prefixes_first_part;
  parts.wants_bos = true;
  parts.marked = marked_tokens(description);
  QUINTET_TRY(TextNormalizer normalizer, take_normalizer(description, parts));
  QUINTET_TRY(parts.tokenizer, create_sentencepiece({.pieces = std::move(description.tokens),
                                                     .scores = std::move(pieces.scores),
                                                     .types = std::move(description.piece_types),
                                                     .unknown_id = description.special.unk},
                                                    std::move(settings), std::move(normalizer)));
  return parts;
}

Result<TokenizerParts> wordpiece_parts(TokenizerDescription& description) {
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
  QUINTET_TRY(parts.tokenizer,
              WordPiece::create(std::move(description.tokens), special, description.wordpiece()->normalizer));
  return parts;
}

Result<TokenizerParts> create_of_kind(TokenizerDescription& description) {
  if (description.bpe()) return bpe_parts(description);
  if (description.sentencepiece()) return sentencepiece_parts(description);
  if (description.wordpiece()) return wordpiece_parts(description);
  return TokenizerParts();
}

// What the tokenizer has in a form of its own now.
void drop_vocabulary(TokenizerDescription& description) {
  description.tokens = {};
  description.piece_types = {};
  if (auto* custom = std::get_if<CustomDescription>(&description.kind)) custom->section = {};
}

}  // namespace

Result<TokenizerParts> create_tokenizer(TokenizerDescription& description) {
  if (description.bpe() && description.piece_types.size() != description.size()) {
    description.piece_types = guess_bpe_token_types(description);
  }
  complete_end_tokens(description);
  QUINTET_TRY(TokenizerParts parts, create_of_kind(description));
  drop_vocabulary(description);
  return parts;
}

}  // namespace quintet
