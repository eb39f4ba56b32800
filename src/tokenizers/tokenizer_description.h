#pragma once
// The description of a tokenizer: files are read into it, and the tokenizers of this folder are made from it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "base/string_table.h"
#include "tokenizers/bpe/bpe_description.h"
#include "tokenizers/sentencepiece/sentencepiece_description.h"
#include "tokenizers/text_steps.h"
#include "tokenizers/wordpiece/wordpiece_description.h"

namespace quintet {

enum class TokenizerType : uint8_t { none, wordpiece, bpe, sentencepiece, custom };

struct SpecialIds {
  std::optional<uint32_t> bos, eos, pad, unk, mask, cls, sep;
};

// The parts of an input: a text, or both texts of a pair, and the special tokens around them.
struct FramePart {
  enum class Kind : uint8_t { token, first, second };
  Kind kind = Kind::token;
  uint32_t id = 0;   // id of a token
  uint8_t type = 0;  // token type of this part

  bool operator==(const FramePart&) const = default;
};

struct TextFrame {
  std::vector<FramePart> single;  // has one `first`
  std::vector<FramePart> pair;    // has one `first` and one `second`; empty: both texts are as in `single`

  bool empty() const { return single.empty(); }
};

// A tokenizer that this library cannot run: AMB files may contain one.
struct CustomDescription {
  std::vector<std::byte> section;
};

struct TokenizerDescription {
  // The alternatives have the order of TokenizerType.
  std::variant<std::monostate, WordPieceDescription, BpeDescription, SentencePieceDescription, CustomDescription> kind;
  SpecialIds special;
  std::vector<uint32_t> ends;              // all end-of-sequence ids, ascending; empty if the file has none
  std::optional<bool> add_bos;             // whether special.bos starts a text; absent if not in the file
  std::optional<bool> add_eos;             // whether special.eos ends a text; absent if not in the file
  TextFrame frame;                         // empty if the two above are enough
  std::vector<NormalizerStep> normalizer;  // BPE and SentencePiece rewrite a text by these steps first
  StringTable tokens;                      // id_at() has the id of each
  std::vector<PieceType> piece_types;      // one per token; empty if the file has none
  // Ids of tokens that strip the white space next to them when they occur in a text, ascending.
  std::vector<uint32_t> trims_left, trims_right;
  std::vector<uint32_t> words;       // ids of tokens that only count between characters of no word, ascending
  std::vector<uint32_t> normalized;  // ids of user-defined tokens that are sought in normalized text, ascending
  uint64_t stored_bytes = 0;         // size of the tokenizer's section in the file

  TokenizerType type() const { return static_cast<TokenizerType>(kind.index()); }
  uint64_t size() const { return tokens.size(); }

  // Null if the tokenizer is of another kind.
  const WordPieceDescription* wordpiece() const { return std::get_if<WordPieceDescription>(&kind); }
  WordPieceDescription* wordpiece() { return std::get_if<WordPieceDescription>(&kind); }
  const BpeDescription* bpe() const { return std::get_if<BpeDescription>(&kind); }
  BpeDescription* bpe() { return std::get_if<BpeDescription>(&kind); }
  const SentencePieceDescription* sentencepiece() const { return std::get_if<SentencePieceDescription>(&kind); }
  SentencePieceDescription* sentencepiece() { return std::get_if<SentencePieceDescription>(&kind); }

  // Requires a position in `tokens`.
  uint32_t id_at(size_t position) const {
    const BpeDescription* listed = bpe();
    return listed && !listed->ids.empty() ? listed->ids[position] : static_cast<uint32_t>(position);
  }
};

}  // namespace quintet
