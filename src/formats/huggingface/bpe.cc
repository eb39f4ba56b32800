#include "formats/huggingface/bpe.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "formats/huggingface/post_processor.h"
#include "formats/huggingface/token_list.h"
#include "formats/huggingface/tokenizer_json.h"
#include "formats/pre_tokenizers.h"

namespace quintet::huggingface {
namespace {

enum class BpeKind : uint8_t { byte_level, sentencepiece };

// Determines which of our tokenizers implements a tokenizer.json with a BPE model.
struct BpePipeline {
  BpeKind kind = BpeKind::byte_level;
  std::string_view pre_tokenizer;  // byte_level: a name of formats/pre_tokenizers.h
  bool ignore_merges = false;
  bool nfc = false;
  bool has_prefix = true;  // sentencepiece: a space in front of a text
};

std::unexpected<Error> unsupported(std::string_view part, const Json& value) {
  return unsupported_part(part, value,
                          "BPE over bytes as in GPT-2, Llama 3, Qwen 2 and StarCoder, and SentencePiece's BPE");
}

bool is_empty(const Json& value) {
  const std::string* text = value.as_string();
  return value.is_null() || (text && text->empty());
}

// The two elements of a sequence; null if it does not have two.
const Json::Array* two_of(const Json& sequence, std::string_view key) {
  const Json::Array* elements = is_text(sequence, "type", "Sequence") ? sequence.get(key).as_array() : nullptr;
  return elements && elements->size() == 2 ? elements : nullptr;
}

bool is_byte_level(const Json& step, bool with_pattern) {
  return is_text(step, "type", "ByteLevel") && is_flag(step, "add_prefix_space", false, true) &&
         is_flag(step, "use_regex", with_pattern, true);
}

bool parts_digits(const Json& step) {
  return is_text(step, "type", "Digits") && is_flag(step, "individual_digits", true, false);
}

// Whether the matches of the expression are the words. Our expressions match every character, so it makes no difference
// whether the rest or the matches are kept.
bool parts_matches(const Json& split) {
  if (!is_text(split, "type", "Split")) return false;
  const bool inverted = is_flag(split, "invert", true, false);
  return is_text(split, "behavior", inverted ? "Removed" : "Isolated");
}

// How text is split into words before bytes are merged, by the names of formats/pre_tokenizers.h; empty if it is
// unknown.
std::string_view byte_level_pre_tokenizer(const Json& pre_tokenizer) {
  if (is_byte_level(pre_tokenizer, true)) return kGpt2PreTokenizer;
  const Json::Array* steps = two_of(pre_tokenizer, "pretokenizers");
  if (!steps) return {};
  if (parts_digits((*steps)[0]) && is_byte_level((*steps)[1], true)) return kStarcoderPreTokenizer;
  const Json& split = (*steps)[0];
  if (!is_byte_level((*steps)[1], false) || !parts_matches(split)) return {};
  const std::string* regex = split.get("pattern").get("Regex").as_string();
  return regex ? pre_tokenizer_of_regex(*regex) : std::string_view();
}

// Whether the normalizer does nothing but NFC, and in `nfc` whether it does that. A list of steps may be empty.
bool normalizes_to_nfc_alone(const Json& normalizer, bool& nfc) {
  if (is_text(normalizer, "type", "Sequence")) {
    const Json::Array* steps = normalizer.get("normalizers").as_array();
    return steps && std::ranges::all_of(*steps, [&](const Json& step) { return normalizes_to_nfc_alone(step, nfc); });
  }
  const bool is_nfc = is_text(normalizer, "type", "NFC");
  nfc |= is_nfc;
  return is_nfc || normalizer.is_null();
}

// A token in front of a text is the beginning-of-sequence token. What follows the text is of no use for a decoder,
// which continues it.
Status read_text_frame(const Json& post_processor, TokenizerDescription& tokenizer) {
  QUINTET_TRY(tokenizer.frame, read_frame(post_processor));
  if (tokenizer.frame.empty()) return {};
  tokenizer.add_bos = tokens_ahead(tokenizer.frame) != 0;
  if (*tokenizer.add_bos) tokenizer.special.bos = tokenizer.frame.single.front().id;
  return {};
}

bool replaces_spaces(const Json& step) {
  return is_text(step, "type", "Replace") && is_text(step.get("pattern"), "String", " ") &&
         is_text(step, "content", kSpaceMark);
}

// Gemma's pre-tokenizer: its normalizer leaves no space to split at.
bool splits_at_spaces(const Json& step) {
  return is_text(step, "type", "Split") && is_text(step.get("pattern"), "String", " ");
}

// A mark for every space and, except in Gemma, before the text, as steps of the normalizer or of the pre-tokenizer.
// Nothing if they are others; otherwise whether the text has a mark in front.
std::optional<bool> marks_spaces(const Json& normalizer, const Json& pre_tokenizer) {
  if (replaces_spaces(normalizer)) {
    return pre_tokenizer.is_null() || splits_at_spaces(pre_tokenizer) ? std::optional(false) : std::nullopt;
  }
  if (const Json::Array* steps = two_of(normalizer, "normalizers")) {
    const Json& prepend = (*steps)[0];
    const bool is_known = pre_tokenizer.is_null() && is_text(prepend, "type", "Prepend") &&
                          is_text(prepend, "prepend", kSpaceMark) && replaces_spaces((*steps)[1]);
    return is_known ? std::optional(true) : std::nullopt;
  }
  const bool is_metaspace = normalizer.is_null() && is_text(pre_tokenizer, "type", "Metaspace") &&
                            is_text(pre_tokenizer, "replacement", kSpaceMark) &&
                            is_flag(pre_tokenizer, "split", false, true);
  if (!is_metaspace) return std::nullopt;
  const bool is_never =
      is_text(pre_tokenizer, "prepend_scheme", "never") || is_flag(pre_tokenizer, "add_prefix_space", false, true);
  return !is_never;
}

Result<BpePipeline> recognize_bpe(const Json& tokenizer) {
  const Json& model = tokenizer.get("model");
  for (const std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!is_empty(model.get(key))) return unsupported(key, model.get(key));
  }
  const Json& normalizer = tokenizer.get("normalizer");
  const Json& pre_tokenizer = tokenizer.get("pre_tokenizer");
  BpePipeline pipeline;
  pipeline.ignore_merges = is_flag(model, "ignore_merges", true, false);
  if (is_flag(model, "byte_fallback", true, false)) {
    if (pipeline.ignore_merges) return unsupported("ignore_merges", true);
    pipeline.kind = BpeKind::sentencepiece;
    if (const auto has_prefix = marks_spaces(normalizer, pre_tokenizer)) {
      pipeline.has_prefix = *has_prefix;
      return pipeline;
    }
    return unsupported(normalizer.is_null() ? "pre_tokenizer" : "normalizer",
                       normalizer.is_null() ? pre_tokenizer : normalizer);
  }
  if (!normalizes_to_nfc_alone(normalizer, pipeline.nfc)) return unsupported("normalizer", normalizer);
  pipeline.pre_tokenizer = byte_level_pre_tokenizer(pre_tokenizer);
  if (pipeline.pre_tokenizer.empty()) return unsupported("pre_tokenizer", pre_tokenizer);
  return pipeline;
}

struct Merge {
  std::string_view left, right;  // of the JSON
  size_t token = 0;              // the merged token, as index in the list
};

std::unexpected<Error> wrong(Reason reason, size_t rank, std::string_view problem) {
  return format_error(reason, 0, "merge " + std::to_string(rank) + " " + std::string(problem));
}

Result<Merge> split(const std::string& text, size_t rank) {
  const size_t space = text.find(' ');
  if (space == std::string::npos) return wrong(Reason::malformed, rank, "has no space between its parts");
  const std::string_view all = text;
  return Merge{.left = all.substr(0, space), .right = all.substr(space + 1)};
}

Result<Merge> halves(const Json& entry, size_t rank) {
  if (const std::string* text = entry.as_string()) return split(*text, rank);
  const Json::Array* pair = entry.as_array();
  const std::string* left = pair && pair->size() == 2 ? (*pair)[0].as_string() : nullptr;
  const std::string* right = left ? (*pair)[1].as_string() : nullptr;
  if (!right) return wrong(Reason::malformed, rank, "is neither a string nor a pair of strings");
  return Merge{.left = *left, .right = *right};
}

// In either notation: "a b" or ["a", "b"]. Both parts and the result of a merge must be tokens.
Result<std::vector<Merge>> read_merges(const Json& model, const TokenList& list) {
  const Json* entries = model.find("merges");
  if (!entries || !entries->as_array()) return format_error(Reason::missing, 0, "no merges");
  std::vector<Merge> merges;
  merges.reserve(entries->as_array()->size());
  std::string whole;
  for (const Json& entry : *entries->as_array()) {
    const size_t rank = merges.size();
    QUINTET_TRY(Merge merge, halves(entry, rank));
    // Our formats separate the parts by a space, as in the older notation.
    if (merge.left.find(' ') != std::string_view::npos || merge.right.find(' ') != std::string_view::npos) {
      return wrong(Reason::malformed, rank, "has a space inside a part");
    }
    whole.assign(merge.left).append(merge.right);
    const auto token = list.find(whole);
    if (!token || !list.find(merge.left) || !list.find(merge.right)) {
      return wrong(Reason::mismatch, rank, "joins strings that are not tokens");
    }
    merge.token = *token;
    merges.push_back(merge);
  }
  return merges;
}

Status add(StringTable& table, std::string_view text) {
  if (table.add(text)) return {};
  return memory_error(StringTable::kMaxBytes);
}

Result<TokenizerDescription> byte_level(const TokenList& list, const std::vector<Merge>& merges) {
  TokenizerDescription description;
  description.type = TokenizerType::bpe;
  for (const ListedToken& token : list.tokens()) {
    QUINTET_CHECK(add(description.tokens, token.text));
    description.ids.push_back(token.id);
    description.piece_types.push_back(token.type);
  }
  std::string text;
  for (const Merge& merge : merges) {
    text.assign(merge.left).append(" ").append(merge.right);
    QUINTET_CHECK(add(description.merges, text));
  }
  return description;
}

bool is_one_character(std::string_view text) { return !text.empty() && decode_utf8(text, 0).bytes == text.size(); }

PieceType piece_type(const ListedToken& token, std::string_view unknown, bool merged) {
  if (token.text == unknown) return PieceType::unknown;
  if (token.type != PieceType::normal) return token.type;
  if (is_byte_token(token.text)) return PieceType::byte;
  // SentencePiece would merge tokens that the list of merges does not contain.
  return merged || is_one_character(token.text) ? PieceType::normal : PieceType::unused;
}

// SentencePiece merges the pair whose piece has the highest score, this list the pair that comes first. So the score of
// a piece is the negated rank of the first merge that produces it. Pieces without a merge come after all others.
Result<TokenizerDescription> sentencepiece(const TokenList& list, const std::vector<Merge>& merges,
                                           std::string_view unknown) {
  const size_t tokens = list.tokens().size();
  TokenizerDescription description;
  description.type = TokenizerType::sentencepiece;
  description.scores.assign(tokens, 0.0F - static_cast<float>(merges.size()));
  std::vector<bool> merged(tokens);
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const size_t token = merges[rank].token;
    if (!merged[token]) description.scores[token] = 0.0F - static_cast<float>(rank);
    merged[token] = true;
  }
  for (size_t i = 0; i < tokens; ++i) {
    const ListedToken& token = list.tokens()[i];
    if (token.id != i) return format_error(Reason::missing, 0, "no token has the id " + std::to_string(i));
    QUINTET_CHECK(add(description.tokens, token.text));
    description.piece_types.push_back(piece_type(token, unknown, merged[i]));
    const PieceType type = description.piece_types.back();
    if (type != PieceType::normal && type != PieceType::unused) description.scores[i] = 0;
  }
  return description;
}

}  // namespace

Result<TokenizerDescription> read_bpe(const Json& tokenizer) {
  QUINTET_TRY(const BpePipeline pipeline, recognize_bpe(tokenizer));
  QUINTET_TRY(const TokenList list, TokenList::read(tokenizer));
  const Json& model = *tokenizer.find("model");  // the vocabulary
  QUINTET_TRY(const auto merges, read_merges(model, list));
  const Json* unk = model.find("unk_token");
  const std::string* unknown = unk ? unk->as_string() : nullptr;
  TokenizerDescription description;
  if (pipeline.kind == BpeKind::byte_level) {
    QUINTET_TRY(description, byte_level(list, merges));
    description.pre_tokenizer = pipeline.pre_tokenizer;
    description.ignore_merges = pipeline.ignore_merges;
    description.nfc = pipeline.nfc;
    description.add_bos = false;
  } else {
    QUINTET_TRY(description, sentencepiece(list, merges, unknown ? *unknown : ""));
    if (!pipeline.has_prefix) {
      description.settings = quintet::sentencepiece::llama_settings();
      description.settings->add_dummy_prefix = false;
    }
  }
  set_trims(list.tokens(), description);
  if (const auto index = unknown ? list.find(*unknown) : std::nullopt) {
    description.special.unk = list.tokens()[*index].id;
  }
  QUINTET_CHECK(read_text_frame(tokenizer.get("post_processor"), description));
  return description;
}

}  // namespace quintet::huggingface
