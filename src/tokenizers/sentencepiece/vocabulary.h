#pragma once
// The parts of a SentencePiece tokenizer: its pieces, and the settings of its ModelProto for splitting text into them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/string_table.h"

namespace quintet {

// Numbered as in sentencepiece_model.proto.
enum class PieceKind : uint8_t { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

struct SentencePieceVocabulary {
  StringTable pieces;            // the id of a piece is its position
  std::vector<float> scores;     // one per piece
  std::vector<PieceKind> kinds;  // one per piece
};

enum class SentencePieceModel : uint8_t { bpe, unigram };

// The defaults are those for a vocabulary without a ModelProto: Llama's.
struct SentencePieceSettings {
  SentencePieceModel model = SentencePieceModel::bpe;
  bool byte_fallback = true;                 // unknown characters become byte pieces, if these exist
  std::optional<uint32_t> unknown_id;        // if absent: the first piece of kind `unknown`, if there is one
  std::string unknown_surface = " \u2047 ";  // what the unknown piece is decoded to

  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = false;
  bool escape_whitespaces = true;  // spaces become U+2581
  bool treat_whitespace_as_suffix = false;
  std::string character_map;  // precompiled_charsmap: a double array and the strings it leads to; may be empty

  // As in Hugging Face's tokenizers (formats/sentencepiece/settings.h).
  bool prefixes_every_part = false;
  bool prefixes_no_space = false;
  bool splits_words = false;
  bool splits_white_space = false;
  bool keeps_trailing_space = false;
  bool as_huggingface = false;
};

}  // namespace quintet
