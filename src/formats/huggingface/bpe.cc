#include "formats/huggingface/bpe.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flag_list.h"
#include "base/utf8.h"
#include "formats/huggingface/post_processor.h"
#include "formats/huggingface/spaces.h"
#include "formats/huggingface/token_list.h"
#include "formats/huggingface/tokenizer_json.h"
#include "formats/pre_tokenizers.h"
#include "formats/special_tokens.h"
#include "formats/text_steps.h"

namespace quintet::huggingface {
namespace {

// A token in front of a text is the beginning-of-sequence token. Tokens after the text are useless for a decoder, which
// continues it.
Status read_text_frame(const Json& post_processor, TokenizerDescription& tokenizer) {
  QUINTET_TRY(tokenizer.frame, read_frame(post_processor));
  if (tokenizer.frame.empty()) return {};
  tokenizer.add_bos = tokens_ahead(tokenizer.frame) != 0;
  if (*tokenizer.add_bos) tokenizer.special.bos = tokenizer.frame.single.front().id;
  return {};
}

// The text before or after pieces: empty, except for the words of CLIP.
Result<std::string> read_affix(const Json& model, std::string_view key, bool may_have) {
  const Json& value = model.get(key);
  if (value.is_null()) return std::string();
  const std::string* text = value.as_string();
  if (text && (text->empty() || may_have)) return *text;
  return unsupported_part(key, value, "none");
}

struct Merge {
  std::string_view left, right;  // of the JSON
  size_t token = 0;              // the merged token, as index in the list
};

Failure wrong(Reason reason, size_t rank, std::string_view problem) {
  return format_error(reason, 0, "merge {} {}", rank, problem);
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

// Reads either notation: "a b" or ["a", "b"]. Both parts and the result of a merge must be tokens.
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
  BpeDescription& bpe = description.kind.emplace<BpeDescription>();
  for (const ListedToken& token : list.tokens()) {
    QUINTET_CHECK(add(description.tokens, token.text));
    bpe.ids.push_back(token.id);
    description.piece_types.push_back(token.type);
  }
  std::string text;
  for (const Merge& merge : merges) {
    text.assign(merge.left).append(" ").append(merge.right);
    QUINTET_CHECK(add(bpe.merges, text));
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
  std::vector<float>& scores = description.kind.emplace<SentencePieceDescription>().scores;
  scores.assign(tokens, 0.0F - static_cast<float>(merges.size()));
  FlagList merged(tokens);
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const size_t token = merges[rank].token;
    if (!merged[token]) scores[token] = 0.0F - static_cast<float>(rank);
    merged[token] = true;
  }
  for (size_t i = 0; i < tokens; ++i) {
    const ListedToken& token = list.tokens()[i];
    if (token.id != i) return format_error(Reason::missing, 0, "no token has the id {}", i);
    QUINTET_CHECK(add(description.tokens, token.text));
    description.piece_types.push_back(piece_type(token, unknown, merged[i]));
    const PieceType type = description.piece_types.back();
    if (type != PieceType::normal && type != PieceType::unused) scores[i] = 0;
  }
  return description;
}

}  // namespace

Result<TokenizerDescription> read_bpe(const Json& tokenizer) {
  const Json& model = tokenizer.get("model");
  QUINTET_CHECK(read_affix(model, "continuing_subword_prefix", false));
  QUINTET_TRY(std::string word_suffix, read_affix(model, "end_of_word_suffix", !marks_spaces(tokenizer)));
  QUINTET_TRY(const TokenList list, TokenList::read(tokenizer));
  QUINTET_TRY(const auto merges, read_merges(model, list));
  const std::string* unknown = model.get("unk_token").as_string();
  const bool ignores_merges = is_flag(model, "ignore_merges", true, false);
  TokenizerDescription description;
  if (marks_spaces(tokenizer)) {
    if (ignores_merges) return unsupported_part("ignore_merges", true, "false for characters");
    QUINTET_TRY(description, sentencepiece(list, merges, unknown ? *unknown : ""));
    QUINTET_CHECK(read_spaces(tokenizer, description));
    description.sentencepiece()->settings->byte_fallback = is_flag(model, "byte_fallback", true, false);
  } else {
    QUINTET_TRY(std::vector<SplitStep> splits, read_pre_tokenizer(tokenizer.get("pre_tokenizer")));
    QUINTET_TRY(description, byte_level(list, merges));
    QUINTET_TRY(description.normalizer, read_normalizer(tokenizer.get("normalizer")));
    set_pre_tokenizer(std::move(splits), *description.bpe());
    description.bpe()->ignore_merges = ignores_merges;
    description.bpe()->word_suffix = std::move(word_suffix);
    description.add_bos = false;
  }
  set_token_rules(list.tokens(), description);
  if (const auto index = unknown ? list.find(*unknown) : std::nullopt) {
    description.special.unk = list.tokens()[*index].id;
  }
  QUINTET_CHECK(read_text_frame(tokenizer.get("post_processor"), description));
  return description;
}

}  // namespace quintet::huggingface
