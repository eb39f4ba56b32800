#pragma once
// The description of a tokenizer: what files say about it, and what the tokenizers of this folder are made of.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/string_table.h"
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
  uint32_t id = 0;   // of a token
  uint8_t type = 0;  // token type of this part

  bool operator==(const FramePart&) const = default;
};

struct TextFrame {
  std::vector<FramePart> single;  // with one `first`
  std::vector<FramePart> pair;    // with one `first` and one `second`; empty: texts are as in `single`

  bool empty() const { return single.empty(); }
};

struct TokenizerDescription {
  TokenizerType type = TokenizerType::none;
  SpecialIds special;
  std::vector<uint32_t> ends;      // all end-of-sequence ids, ascending; empty if the file has none
  std::optional<bool> add_bos;     // whether special.bos starts a text; absent if the file does not say
  std::optional<bool> add_eos;     // whether special.eos ends it; likewise
  TextFrame frame;                 // empty if the two above say everything
  BertNormalizer bert_normalizer;  // wordpiece
  std::string pre_tokenizer;       // bpe: a name of formats/pre_tokenizers.h or an unknown one; empty means gpt2
  std::optional<std::vector<SplitStep>> splits;  // bpe: the pre-tokenizer, if it has no name
  bool ignore_merges = false;  // bpe: a word that is in the vocabulary is one token, whatever the merges say
  std::vector<NormalizerStep> normalizer;  // bpe, sentencepiece: what is done to a text first
  StringTable tokens;                      // index = id, except for bpe with `ids`
  std::vector<uint32_t> ids;               // bpe: the id of each token, in the order of the file
  StringTable merges;                      // bpe: "left right", best first
  std::vector<float> scores;               // sentencepiece: one per token
  std::vector<PieceType> piece_types;      // sentencepiece: one per token; bpe: the same, or none if the file has none
  // Ids of tokens that strip the white space next to them when they occur in a text, ascending.
  std::vector<uint32_t> trims_left, trims_right;
  std::vector<uint32_t> words;       // of those that only count where no letter or digit is next to them, ascending
  std::vector<uint32_t> normalized;  // of those that are user-defined and sought in normalized text, ascending
  std::vector<std::byte> bytes;      // sentencepiece: the ModelProto, if the file has it; custom: the whole section
  std::optional<SentencePieceSettings> settings;  // sentencepiece: if neither `bytes` nor the defaults have them
  uint64_t stored_bytes = 0;                        // of the tokenizer's section in the file

  uint64_t size() const { return tokens.size(); }
};

}  // namespace quintet
