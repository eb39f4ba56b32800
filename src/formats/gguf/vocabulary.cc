#include "formats/gguf/vocabulary.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/flag_list.h"
#include "base/order.h"
#include "base/utf8.h"
#include "formats/pre_tokenizers.h"
#include "formats/special_tokens.h"
#include "tokenizers/token_index.h"

namespace quintet::gguf {
namespace {

constexpr std::string_view kModel = "tokenizer.ggml.model";
constexpr std::string_view kPre = "tokenizer.ggml.pre";
constexpr std::string_view kAddBos = "tokenizer.ggml.add_bos_token";
constexpr std::string_view kAddPrefix = "tokenizer.ggml.add_space_prefix";
constexpr std::string_view kRemoveSpaces = "tokenizer.ggml.remove_extra_whitespaces";
constexpr std::string_view kUnigram = "t5";           // value of kModel
constexpr std::string_view kMergedPieces = "gemma4";  // likewise
constexpr std::string_view kLowercase = "tokenizer.ggml.normalizer.lowercase";
constexpr std::string_view kStripAccents = "tokenizer.ggml.normalizer.strip_accents";
constexpr std::string_view kAddEos = "tokenizer.ggml.add_eos_token";
constexpr std::string_view kArchitecture = "general.architecture";
// tokenizer.ggml.eos_token_id is another one.
constexpr std::string_view kEnds[] = {"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"};

std::string_view text_of(const Metadata& metadata, std::string_view key, std::string_view otherwise) {
  const Json* value = metadata.find(key);
  return value && value->as_string() ? std::string_view(*value->as_string()) : otherwise;
}

// Sets the kind, without its content.
void read_kind(const Metadata& metadata, TokenizerDescription& tokenizer) {
  const std::string_view model = text_of(metadata, kModel, "");
  const bool has_pieces = model == "llama" || model == kUnigram || model == kMergedPieces;
  if (has_pieces) tokenizer.kind.emplace<SentencePieceDescription>();
  if (model == "gpt2") tokenizer.kind.emplace<BpeDescription>();
  if (model == "bert") tokenizer.kind.emplace<WordPieceDescription>();
}

// A list with an element for each token must have as many elements as there are tokens.
Status check_length(const Metadata& metadata, std::string_view list, size_t length) {
  if (!metadata.find(list) || length == metadata.tokens.size()) return {};
  return format_error(Reason::mismatch, metadata.length_place_of(list), "{} has {} elements for {} tokens", list,
                      length, metadata.tokens.size());
}

// Reads an id. -1, signed or unsigned, means none.
Status read_id(const Metadata& metadata, std::string_view key, std::optional<uint32_t>& id) {
  const Json* value = metadata.find(key);
  if (!value || value->as_int() == -1) return {};
  const std::optional<uint64_t> number = value->as_uint();
  if (!number || *number > UINT32_MAX) {
    return format_error(Reason::malformed, metadata.place_of(key), "{} is not a token id", key);
  }
  if (*number != UINT32_MAX) id = static_cast<uint32_t>(*number);
  return {};
}

Status read_special_ids(const Metadata& metadata, SpecialIds& special) {
  const std::pair<std::string_view, std::optional<uint32_t>*> ids[] = {
      {"tokenizer.ggml.bos_token_id", &special.bos},       {"tokenizer.ggml.eos_token_id", &special.eos},
      {"tokenizer.ggml.padding_token_id", &special.pad},   {"tokenizer.ggml.unknown_token_id", &special.unk},
      {"tokenizer.ggml.mask_token_id", &special.mask},     {"tokenizer.ggml.cls_token_id", &special.cls},
      {"tokenizer.ggml.seperator_token_id", &special.sep},  // how llama.cpp spells it
      {"tokenizer.ggml.separator_token_id", &special.sep},
  };
  for (const auto& [key, id] : ids) QUINTET_CHECK(read_id(metadata, key, *id));
  return {};
}

// Files older than this key do not contain their pre-tokenizer; of these, only Phi-2 is known.
void read_pre_tokenizer(const Metadata& metadata, TokenizerDescription& tokenizer) {
  const std::string_view pre = text_of(metadata, kPre, "default");
  const bool phi2 = pre == "default" && text_of(metadata, kArchitecture, "") == "phi2";
  set_gguf_pre_tokenizer(phi2 ? "phi-2" : pre, tokenizer);
}

// GGUF cannot store this, so it is recognized by the name of the model: Phi-3's special tokens strip the white space
// after them, except for <unk>, <s> and <|endoftext|> (llama.cpp, src/llama-vocab.cpp).
void set_trims(const Metadata& metadata, TokenizerDescription& tokenizer) {
  std::string name(text_of(metadata, "general.name", ""));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (!name.contains("phi-3") && !name.contains("phi3")) return;
  for (uint32_t id = 0; id < tokenizer.piece_types.size(); ++id) {
    const PieceType type = tokenizer.piece_types[id];
    const std::string_view token = tokenizer.tokens[id];
    if (type != PieceType::control && type != PieceType::user_defined) continue;
    if (token != "<s>" && token != "<|endoftext|>") tokenizer.trims_right.push_back(id);
  }
}

bool flag_of(const Metadata& metadata, std::string_view key, bool otherwise) {
  const Json* value = metadata.find(key);
  return value ? value->as_bool().value_or(otherwise) : otherwise;
}

bool is_unigram(const Metadata& metadata) { return text_of(metadata, kModel, "") == kUnigram; }

// Texts and pairs of texts are framed as by XLM-RoBERTa, if the vocabulary has its tokens.
void read_unigram_settings(const Metadata& metadata, TokenizerDescription& tokenizer) {
  SentencePieceSettings& settings = tokenizer.sentencepiece()->settings.emplace();
  settings.model = SentencePieceModel::unigram;
  settings.byte_fallback = false;
  settings.add_dummy_prefix = flag_of(metadata, kAddPrefix, false);
  // XLM-RoBERTa splits words at white space before it seeks their pieces.
  const bool removes_spaces = flag_of(metadata, kRemoveSpaces, false);
  settings.remove_extra_whitespaces = settings.splits_white_space = settings.prefixes_no_space = removes_spaces;
  settings.keeps_trailing_space = !removes_spaces;
  settings.character_map = metadata.character_map;
  settings.prefixes_every_part = settings.as_huggingface = true;
  // llama.cpp assumes this id where the file has none.
  constexpr uint32_t kUnknown = 2;
  const bool has_unknown = std::ranges::find(tokenizer.piece_types, PieceType::unknown) != tokenizer.piece_types.end();
  if (!tokenizer.special.unk && !has_unknown && tokenizer.size() > kUnknown) tokenizer.special.unk = kUnknown;
  if (!tokenizer.special.bos || !tokenizer.special.eos) return;
  using enum FramePart::Kind;
  const FramePart begin = {.id = *tokenizer.special.bos}, end = {.id = *tokenizer.special.eos};
  tokenizer.frame.single = {begin, {.kind = first}, end};
  tokenizer.frame.pair = {begin, {.kind = first}, end, end, {.kind = second}, end};
}

Status read_text_rules(const Metadata& metadata, TokenizerDescription& tokenizer) {
  if (tokenizer.bpe()) read_pre_tokenizer(metadata, tokenizer);
  const Json* prefix = metadata.find(kAddPrefix);
  if (is_unigram(metadata)) {
    read_unigram_settings(metadata, tokenizer);
  } else if (tokenizer.sentencepiece() && prefix && prefix->as_bool() == false) {
    std::optional<SentencePieceSettings>& settings = tokenizer.sentencepiece()->settings;
    if (!settings) settings.emplace();
    settings->add_dummy_prefix = false;
  }
  const Json* add_bos = metadata.find(kAddBos);
  const Json* add_eos = metadata.find(kAddEos);
  if (add_bos && add_bos->as_bool()) tokenizer.add_bos = add_bos->as_bool();
  if (add_eos) tokenizer.add_eos = add_eos->as_bool();
  for (const std::string_view key : kEnds) {
    std::optional<uint32_t> id;
    QUINTET_CHECK(read_id(metadata, key, id));
    if (id) tokenizer.ends.push_back(*id);
  }
  heap_sort(tokenizer.ends);
  return {};
}

// In a GGUF file, tokens that start a word have U+2581 in front and those that continue a word have nothing; in BERT's
// vocabulary, the latter start with "##". Special tokens and names in brackets are unchanged.
std::string wordpiece_of(std::string_view token, bool is_special) {
  constexpr std::string_view kWordBegin = "\u2581";
  if (is_special || (token.starts_with('[') && token.ends_with(']'))) return std::string(token);
  if (token.starts_with(kWordBegin)) return std::string(token.substr(kWordBegin.size()));
  return formatted("##{}", token);
}

Result<StringTable> wordpieces(const StringTable& tokens, const std::vector<PieceType>& types) {
  StringTable pieces;
  for (size_t id = 0; id < tokens.size(); ++id) {
    const bool is_special = id < types.size() && types[id] != PieceType::normal;
    if (!pieces.add(wordpiece_of(tokens[id], is_special))) return memory_error(StringTable::kMaxBytes);
  }
  return pieces;
}

// Without types, pieces of bytes are recognized by their texts, as in llama.cpp (src/llama-vocab.cpp, byte_to_token),
// and special tokens by their ids.
void guess_types(TokenizerDescription& tokenizer) {
  for (size_t id = 0; id < tokenizer.tokens.size(); ++id) {
    tokenizer.piece_types.push_back(is_byte_token(tokenizer.tokens[id]) ? PieceType::byte : PieceType::normal);
  }
  const auto mark = [&types = tokenizer.piece_types](std::optional<uint32_t> id, PieceType type) {
    if (id && *id < types.size()) types[*id] = type;
  };
  mark(tokenizer.special.bos, PieceType::control);
  mark(tokenizer.special.eos, PieceType::control);
  mark(tokenizer.special.unk, PieceType::unknown);
}

// Files may omit scores (default 0) and types, and give bytes the types of other pieces.
void take_pieces(Metadata& metadata, TokenizerDescription& tokenizer) {
  std::vector<float>& scores = tokenizer.sentencepiece()->scores;
  scores = std::move(metadata.scores);
  tokenizer.piece_types = std::move(metadata.token_types);
  scores.resize(tokenizer.tokens.size());
  if (tokenizer.piece_types.empty()) guess_types(tokenizer);
  std::vector<PieceType>& types = tokenizer.piece_types;
  if (std::ranges::find(types, PieceType::byte) != types.end()) return;
  for (size_t id = 0; id < types.size(); ++id) {
    if (is_byte_token(tokenizer.tokens[id])) types[id] = PieceType::byte;
  }
}

// Gemma 4 has a list of merges instead of scores. The score of a piece is the negated rank of the first merge that
// makes it; pieces without a merge come after all others, and longer ones of these are not made at all.
Status score_by_merges(const StringTable& merges, TokenizerDescription& tokenizer) {
  QUINTET_TRY(const TokenIndex index, TokenIndex::create(tokenizer.tokens));
  std::vector<float>& scores = tokenizer.sentencepiece()->scores;
  FlagList is_merged(tokenizer.tokens.size());
  scores.assign(tokenizer.tokens.size(), -static_cast<float>(merges.size()));
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const std::string_view left = merges[rank].substr(0, merges[rank].find(' '));
    const std::string_view right = merges[rank].substr(std::min(left.size() + 1, merges[rank].size()));
    uint32_t hash = TokenIndex::hash_of(left);
    for (const char byte : right) hash = TokenIndex::extend(hash, byte);
    const auto id = index.find(tokenizer.tokens, hash, left, right);
    if (!id || is_merged[*id]) continue;
    is_merged[*id] = true;
    scores[*id] = -static_cast<float>(rank);
  }
  for (size_t id = 0; id < tokenizer.tokens.size(); ++id) {
    PieceType& type = tokenizer.piece_types[id];
    const std::string_view text = tokenizer.tokens[id];
    const bool is_character = !text.empty() && decode_utf8(text, 0).bytes == text.size();
    if (type == PieceType::normal && !is_merged[id] && !is_character) type = PieceType::unused;
    if (type != PieceType::normal && type != PieceType::unused) scores[id] = 0;
  }
  SentencePieceSettings& settings = tokenizer.sentencepiece()->settings.emplace();
  settings.add_dummy_prefix = false;
  settings.as_huggingface = settings.keeps_trailing_space = true;
  return {};
}

}  // namespace

Result<TokenizerDescription> read_vocabulary(Metadata& metadata) {
  TokenizerDescription tokenizer;
  tokenizer.stored_bytes = metadata.tokenizer_bytes;
  read_kind(metadata, tokenizer);
  QUINTET_CHECK(check_length(metadata, key::kScores, metadata.scores.size()));
  QUINTET_CHECK(check_length(metadata, key::kTokenTypes, metadata.token_types.size()));
  QUINTET_CHECK(read_special_ids(metadata, tokenizer.special));
  if (WordPieceDescription* wordpiece = tokenizer.wordpiece()) {
    QUINTET_TRY(tokenizer.tokens, wordpieces(metadata.tokens, metadata.token_types));
    BertNormalizer& normalizer = wordpiece->normalizer;
    normalizer.lowercase = flag_of(metadata, kLowercase, true);
    normalizer.strip_accents = flag_of(metadata, kStripAccents, normalizer.lowercase);
    // Newer files use the names of other models for them.
    if (!tokenizer.special.cls) tokenizer.special.cls = tokenizer.special.bos;
    if (!tokenizer.special.sep) tokenizer.special.sep = tokenizer.special.eos;
    return tokenizer;
  }
  tokenizer.tokens = std::move(metadata.tokens);
  if (BpeDescription* bpe = tokenizer.bpe()) {
    bpe->merges = std::move(metadata.merges);
    tokenizer.piece_types = std::move(metadata.token_types);
  }
  if (tokenizer.sentencepiece()) take_pieces(metadata, tokenizer);
  if (text_of(metadata, kModel, "") == kMergedPieces) QUINTET_CHECK(score_by_merges(metadata.merges, tokenizer));
  QUINTET_CHECK(read_text_rules(metadata, tokenizer));
  complete_end_tokens(tokenizer);
  set_trims(metadata, tokenizer);
  return tokenizer;
}

}  // namespace quintet::gguf
