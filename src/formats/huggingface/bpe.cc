#include "formats/huggingface/bpe.h"

#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "formats/huggingface/bpe_pipeline.h"
#include "formats/huggingface/token_list.h"

namespace quintet::huggingface {
namespace {

struct Merge {
  std::string_view left, right;  // of the JSON
  size_t token = 0;              // that they become, as index in the list
};

std::unexpected<Error> wrong(Reason reason, size_t rank, std::string_view problem) {
  return format_error(reason, 0, "merge " + std::to_string(rank) + " " + std::string(problem));
}

Result<Merge> split(const std::string& text, size_t rank) {
  const size_t space = text.find(' ');
  if (space == std::string::npos) return wrong(Reason::malformed, rank, "has no space between its halves");
  const std::string_view all = text;
  return Merge{.left = all.substr(0, space), .right = all.substr(space + 1)};
}

Result<Merge> halves(const Json& entry, size_t rank) {
  if (const std::string* text = entry.as_string()) return split(*text, rank);
  const Json::Array* pair = entry.as_array();
  const std::string* left = pair && pair->size() == 2 ? (*pair)[0].as_string() : nullptr;
  const std::string* right = left ? (*pair)[1].as_string() : nullptr;
  if (!right) return wrong(Reason::malformed, rank, "is neither a text nor a pair of texts");
  return Merge{.left = *left, .right = *right};
}

// In either spelling: "a b" or ["a", "b"]. Each half and the whole of every merge is a token.
Result<std::vector<Merge>> read_merges(const Json& model, const TokenList& list) {
  const Json* entries = model.find("merges");
  if (!entries || !entries->as_array()) return format_error(Reason::missing, 0, "no merges");
  std::vector<Merge> merges;
  merges.reserve(entries->as_array()->size());
  std::string whole;
  for (const Json& entry : *entries->as_array()) {
    const size_t rank = merges.size();
    QUINTET_TRY(Merge merge, halves(entry, rank));
    // Our formats part the halves by a space, as does the older spelling.
    if (merge.left.find(' ') != std::string_view::npos || merge.right.find(' ') != std::string_view::npos) {
      return wrong(Reason::malformed, rank, "has a space in a half");
    }
    whole.assign(merge.left).append(merge.right);
    const auto token = list.find(whole);
    if (!token || !list.find(merge.left) || !list.find(merge.right)) {
      return wrong(Reason::mismatch, rank, "is of texts that are no tokens");
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

// "<0x0A>".
bool is_byte_token(std::string_view text) {
  return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') &&
         text.find_first_not_of("0123456789ABCDEF", 3) == 5;
}

bool is_one_character(std::string_view text) { return !text.empty() && decode_utf8(text, 0).bytes == text.size(); }

PieceType piece_type(const ListedToken& token, std::string_view unknown, bool merged) {
  if (token.text == unknown) return PieceType::unknown;
  if (token.type != PieceType::normal) return token.type;
  if (is_byte_token(token.text)) return PieceType::byte;
  // SentencePiece would put together what no merge puts together.
  return merged || is_one_character(token.text) ? PieceType::normal : PieceType::unused;
}

// SentencePiece merges the pair whose piece has the highest score, where this list has the first merge: so a piece's
// score is the rank of the first merge that makes it, negated. What none makes comes after all that some does.
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
  const Json& model = *tokenizer.find("model");  // where the list comes from
  QUINTET_TRY(const auto merges, read_merges(model, list));
  const Json* unk = model.find("unk_token");
  const std::string* unknown = unk ? unk->as_string() : nullptr;
  TokenizerDescription description;
  if (pipeline.kind == BpeKind::byte_level) {
    QUINTET_TRY(description, byte_level(list, merges));
    description.pre_tokenizer = pipeline.pre_tokenizer;
    description.ignore_merges = pipeline.ignore_merges;
    description.nfc = pipeline.nfc;
  } else {
    QUINTET_TRY(description, sentencepiece(list, merges, unknown ? *unknown : ""));
  }
  description.add_bos = pipeline.add_bos;
  if (const auto index = unknown ? list.find(*unknown) : std::nullopt) {
    description.special.unk = list.tokens()[*index].id;
  }
  if (const auto index = pipeline.bos.empty() ? std::nullopt : list.find(pipeline.bos))
    description.special.bos = list.tokens()[*index].id;
  return description;
}

}  // namespace quintet::huggingface
