#include "runtime/tokenize/tokenizer_pipeline.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/flag_list.h"
#include "formats/pre_tokenizers.h"
#include "formats/sentencepiece/settings.h"
#include "formats/special_tokens.h"
#include "runtime/tokenize/token_types.h"
#include "tokenizers/bpe/byte_bpe.h"
#include "tokenizers/sentencepiece/sentencepiece.h"
#include "tokenizers/wordpiece/wordpiece.h"

namespace quintet {
namespace {

bool is_added(PieceType type) {
  return type == PieceType::control || type == PieceType::unknown || type == PieceType::user_defined;
}

std::vector<AddedToken> find_added_tokens(const TokenizerDescription& description) {
  std::vector<AddedToken> tokens;
  for (size_t position = 0; position < description.piece_types.size(); ++position) {
    const PieceType type = description.piece_types[position];
    if (!is_added(type)) continue;
    const uint32_t id = description.id_at(position);
    tokens.push_back(
        {.token = {.text = std::string(description.tokens[position]),
                   .id = id,
                   .trims_left = std::ranges::binary_search(description.trims_left, id),
                   .trims_right = std::ranges::binary_search(description.trims_right, id),
                   .is_word = std::ranges::binary_search(description.words, id)},
         .type = type,
         .is_normalized = type == PieceType::user_defined && std::ranges::binary_search(description.normalized, id)});
  }
  return tokens;
}

// Returns the normalizer that the tokenizer gets: none if the pipeline has it, because tokens are sought in normalized
// text. These tokens are normalized, too.
Result<TextNormalizer> take_normalizer(TokenizerDescription& description, TokenizerPipeline& pipeline) {
  QUINTET_TRY(TextNormalizer normalizer, TextNormalizer::create(std::move(description.normalizer)));
  if (description.normalized.empty()) return normalizer;
  for (AddedToken& each : pipeline.added_tokens) {
    if (!each.is_normalized) continue;
    std::string buffer;
    QUINTET_TRY(const std::string_view text, normalizer.normalize(each.token.text, buffer));
    each.token.text = std::string(text);
  }
  pipeline.normalizer = std::move(normalizer);
  return TextNormalizer();
}

// A vocabulary whose unknown token also begins or ends texts has none: bytes without a token are left out.
std::optional<uint32_t> unknown_id(const SpecialIds& special) {
  return special.unk == special.bos || special.unk == special.eos ? std::nullopt : special.unk;
}

Result<TokenizerPipeline> bpe_pipeline(TokenizerDescription& description) {
  TokenizerPipeline pipeline;
  pipeline.added_tokens = find_added_tokens(description);
  pipeline.seeks_user_defined = true;
  BpeDescription bpe = std::move(*description.bpe());
  QUINTET_TRY(const std::vector<SplitStep> steps, pre_tokenizer_steps(bpe));
  QUINTET_TRY(PreTokenizer pre_tokenizer, PreTokenizer::create(steps));
  QUINTET_TRY(TextNormalizer normalizer, take_normalizer(description, pipeline));
  FlagList added(description.tokens.size());
  for (size_t i = 0; i < added.size(); ++i) added[i] = is_added(description.piece_types[i]);
  QUINTET_TRY(pipeline.tokenizer, ByteBpe::create({.tokens = std::move(description.tokens),
                                                   .ids = std::move(bpe.ids),
                                                   .merges = std::move(bpe.merges),
                                                   .added = std::move(added)},
                                                  {.normalizer = std::move(normalizer),
                                                   .pre_tokenizer = std::move(pre_tokenizer),
                                                   .ignore_merges = bpe.ignore_merges,
                                                   .word_suffix = std::move(bpe.word_suffix),
                                                   .unknown = unknown_id(description.special)}));
  return pipeline;
}

// A file without settings has Llama's.
Result<SentencePieceSettings> take_settings(SentencePieceDescription& description) {
  if (description.settings) return *std::move(description.settings);
  if (description.proto.empty()) return SentencePieceSettings();
  return sentencepiece::read_settings(description.proto);
}

Result<TokenizerPipeline> sentencepiece_pipeline(TokenizerDescription& description) {
  TokenizerPipeline pipeline;
  SentencePieceDescription pieces = std::move(*description.sentencepiece());
  QUINTET_TRY(SentencePieceSettings settings, take_settings(pieces));
  // Hugging Face splits a text at added tokens first, then tokenizes each piece alone.
  pipeline.seeks_user_defined = settings.as_huggingface;
  pipeline.begins_once = settings.prefixes_first_part;
  pipeline.wants_bos = true;
  pipeline.added_tokens = find_added_tokens(description);
  QUINTET_TRY(TextNormalizer normalizer, take_normalizer(description, pipeline));
  QUINTET_TRY(pipeline.tokenizer, create_sentencepiece({.pieces = std::move(description.tokens),
                                                        .scores = std::move(pieces.scores),
                                                        .types = std::move(description.piece_types),
                                                        .unknown_id = description.special.unk},
                                                       std::move(settings), std::move(normalizer)));
  return pipeline;
}

Result<TokenizerPipeline> wordpiece_pipeline(TokenizerDescription& description) {
  TokenizerPipeline pipeline;
  pipeline.added_tokens = find_added_tokens(description);
  pipeline.seeks_user_defined = true;
  const SpecialIds& special = description.special;
  for (const auto& id : {special.pad, special.unk, special.cls, special.sep, special.mask}) {
    const bool is_known = std::ranges::find(pipeline.added_tokens, id, [](const AddedToken& each) {
                            return each.token.id;
                          }) != pipeline.added_tokens.end();
    if (id && *id < description.tokens.size() && !is_known) {
      pipeline.added_tokens.push_back({.token = {.text = std::string(description.tokens[*id]), .id = *id}});
    }
  }
  QUINTET_TRY(pipeline.tokenizer,
              WordPiece::create(std::move(description.tokens), special, description.wordpiece()->normalizer));
  return pipeline;
}

Result<TokenizerPipeline> without_wordpiece(TokenizerDescription&) {
  return unsupported_error("a tokenizer of type WordPiece; supported are BPE and SentencePiece");
}

Result<TokenizerPipeline> create_by_kind(TokenizerDescription& description, CreateTokenizer& of_wordpiece) {
  if (description.bpe()) return bpe_pipeline(description);
  if (description.sentencepiece()) return sentencepiece_pipeline(description);
  if (description.wordpiece()) return of_wordpiece(description);
  return TokenizerPipeline();
}

// Frees the data that the tokenizer now has in its own form.
void drop_vocabulary(TokenizerDescription& description) {
  description.tokens = {};
  description.piece_types = {};
  if (auto* custom = std::get_if<CustomDescription>(&description.kind)) custom->section = {};
}

Result<TokenizerPipeline> create(TokenizerDescription& description, CreateTokenizer& of_wordpiece) {
  if (description.bpe() && description.piece_types.size() != description.size()) {
    description.piece_types = guess_bpe_token_types(description);
  }
  complete_end_tokens(description);
  QUINTET_TRY(TokenizerPipeline pipeline, create_by_kind(description, of_wordpiece));
  drop_vocabulary(description);
  return pipeline;
}

}  // namespace

Result<TokenizerPipeline> create_tokenizer(TokenizerDescription& description) {
  return create(description, wordpiece_pipeline);
}

Result<TokenizerPipeline> create_subword_tokenizer(TokenizerDescription& description) {
  return create(description, without_wordpiece);
}

}  // namespace quintet
