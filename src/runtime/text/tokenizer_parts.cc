#include "runtime/text/tokenizer_parts.h"

#include <utility>

#include "formats/gguf/config.h"
#include "formats/sentencepiece/settings.h"
#include "runtime/text/bpe_token_types.h"
#include "runtime/text/wordpiece_tokenizer.h"
#include "tokenizers/byte_bpe.h"
#include "tokenizers/sentencepiece.h"

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
    marked.push_back({.text = std::string(description.tokens[position]), .id = id, .type = type});
  }
  return marked;
}

// AMB's key; a GGUF file has its own. GPT-2's is what a file means that says nothing.
Result<WordPattern> word_pattern(const ModelDescription& description) {
  const Json* value = description.config.find("pre_tokenizer");
  std::string name = "gpt2";
  if (value) {
    if (const std::string* text = value->as_string()) name = *text;
  } else if (description.metadata.find(gguf::kPreTokenizerKey)) {
    QUINTET_TRY(name, gguf::pre_tokenizer(description));
  }
  if (const auto pattern = word_pattern_named(name)) return *pattern;
  return unsupported_error("pre_tokenizer \"" + name + "\"; supported are gpt2, llama3 and starcoder");
}

// Vocabularies whose unknown token is that of begin or end have none: bytes without a token are left out.
std::optional<uint32_t> unknown_id(const SpecialIds& special) {
  return special.unk == special.bos || special.unk == special.eos ? std::nullopt : special.unk;
}

Result<TokenizerParts> create_bpe(ModelDescription& model) {
  TokenizerDescription& description = model.tokenizer;
  QUINTET_TRY(const WordPattern pattern, word_pattern(model));
  if (description.piece_types.size() != description.tokens.size()) {
    description.piece_types = guess_bpe_token_types(description);
  }
  const bool llama3 = pattern == WordPattern::llama3;
  TokenizerParts parts;
  parts.marked = marked_tokens(description);
  parts.seeks_user_defined = true;
  parts.wants_bos = llama3;
  std::vector<bool> added(description.tokens.size());
  for (size_t i = 0; i < added.size(); ++i) added[i] = is_marked(description.piece_types[i]);
  QUINTET_TRY(parts.tokenizer, ByteBpe::create({.tokens = std::move(description.tokens),
                                                .ids = std::move(description.ids),
                                                .merges = std::move(description.merges),
                                                .added = std::move(added)},
                                               {.pattern = pattern,
                                                .whole_words = llama3,  // as in its tokenizer.json
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
          .character_map = std::move(read.character_map)};
}

Result<SentencePieceSettings> sentencepiece_settings(const ModelDescription& model) {
  SentencePieceSettings settings;
  if (!model.tokenizer.bytes.empty()) {
    QUINTET_TRY(sentencepiece::Settings read, sentencepiece::read_settings(model.tokenizer.bytes));
    settings = settings_of(std::move(read));
  } else if (const Json* prefix = model.metadata.find("tokenizer.ggml.add_space_prefix")) {
    settings.add_dummy_prefix = prefix->as_bool().value_or(true);
  }
  settings.unknown_id = model.tokenizer.special.unk;
  return settings;
}

Result<TokenizerParts> create_sentencepiece_parts(ModelDescription& model) {
  TokenizerDescription& description = model.tokenizer;
  QUINTET_TRY(SentencePieceSettings settings, sentencepiece_settings(model));
  TokenizerParts parts;
  parts.marked = marked_tokens(description);
  parts.wants_bos = true;
  std::vector<PieceKind> kinds;
  kinds.reserve(description.piece_types.size());
  for (const PieceType type : description.piece_types) kinds.push_back(static_cast<PieceKind>(type));
  QUINTET_TRY(parts.tokenizer, create_sentencepiece({.pieces = std::move(description.tokens),
                                                     .scores = std::move(description.scores),
                                                     .kinds = std::move(kinds)},
                                                    std::move(settings)));
  return parts;
}

Result<TokenizerParts> create_wordpiece_parts(TokenizerDescription& description) {
  TokenizerParts parts;
  QUINTET_TRY(parts.tokenizer, create_wordpiece_tokenizer(description));
  return parts;
}

Result<TokenizerParts> create_of_kind(ModelDescription& model) {
  switch (model.tokenizer.type) {
    case TokenizerType::bpe:
      return create_bpe(model);
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
  QUINTET_TRY(TokenizerParts parts, create_of_kind(model));
  // What is left of the vocabulary's lists, which the tokenizer has in its own form.
  TokenizerDescription rest;
  rest.type = model.tokenizer.type;
  rest.special = model.tokenizer.special;
  rest.stored_bytes = model.tokenizer.stored_bytes;
  model.tokenizer = std::move(rest);
  return parts;
}

}  // namespace quintet
