#pragma once
// The pieces of a SentencePiece tokenizer, with their scores and types.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/string_table.h"
#include "tokenizers/sentencepiece/sentencepiece_description.h"

namespace quintet {

struct SentencePieceVocabulary {
  StringTable pieces;                  // the id of a piece is its position
  std::vector<float> scores;           // one per piece
  std::vector<PieceType> types;        // one per piece
  std::optional<uint32_t> unknown_id;  // if absent: the first piece of type `unknown`, if there is one
};

}  // namespace quintet
