#pragma once
// Settings of a SentencePiece tokenizer from files, apart from the texts and types of its pieces.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quintet {

// Numbered as in sentencepiece_model.proto. The tokens of other tokenizers have these types, too.
enum class PieceType : uint8_t { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

enum class SentencePieceModel : uint8_t { unigram, bpe };

// The settings of a ModelProto (sentencepiece_model.proto), and what Hugging Face's tokenizers have in addition. The
// defaults are those of Llama's vocabulary, whose files often come without a ModelProto.
struct SentencePieceSettings {
  SentencePieceModel model = SentencePieceModel::bpe;
  bool byte_fallback = true;                 // unknown characters become byte pieces, if these exist
  std::string unknown_surface = " \u2047 ";  // text of the unknown piece
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = false;
  bool escape_whitespaces = true;  // spaces become U+2581
  bool treat_whitespace_as_suffix = false;
  std::string character_map;  // precompiled_charsmap: a double array and the strings it leads to; may be empty

  // Hugging Face's tokenizers alone have these.
  bool prefixes_every_part = false;   // the dummy prefix also follows tokens in the text
  bool prefixes_first_part = false;   // the dummy prefix follows no token, not even a special one
  bool prefixes_no_space = false;     // the dummy prefix is not put in front of a space
  bool splits_words = false;          // no piece goes beyond the next space
  bool splits_white_space = false;    // white space only separates words, each of which gets the dummy prefix
  bool keeps_trailing_space = false;  // a space at the end stays, although extra ones are removed
  // A rule of the character map applies to a character with its marks as a whole or to one character, and scores are
  // added in double precision.
  bool as_huggingface = false;
};

struct SentencePieceDescription {
  std::vector<float> scores;                      // one per token
  std::vector<std::byte> proto;                   // the ModelProto, if the file has it
  std::optional<SentencePieceSettings> settings;  // absent if the proto or, without it, the defaults have them
};

}  // namespace quintet
