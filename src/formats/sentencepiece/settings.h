#pragma once
// The settings of a ModelProto for splitting text into pieces.

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet::sentencepiece {

enum class ModelType : uint8_t { unigram = 1, bpe = 2 };

// Settings that are missing in the proto have the schema's defaults.
struct Settings {
  ModelType model = ModelType::unigram;
  bool byte_fallback = false;
  std::string unknown_surface = " \u2047 ";
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
  bool treat_whitespace_as_suffix = false;
  std::string character_map;  // precompiled_charsmap

  // Not of a ModelProto, but of Hugging Face's tokenizers.
  bool prefixes_every_part = false;   // the dummy prefix also follows tokens in the text
  bool prefixes_first_part = false;   // it follows none, not even special ones
  bool prefixes_no_space = false;     // it is not put in front of a space
  bool splits_words = false;          // no piece goes beyond the next space
  bool splits_white_space = false;    // white space only separates words, each of which gets the dummy prefix
  bool keeps_trailing_space = false;  // although extra ones are removed
  // A rule of the character map applies to a character with its marks as a whole or to one character, and scores are
  // added in double precision.
  bool as_huggingface = false;
};

// Those of a BPE vocabulary without a ModelProto: Llama's.
Settings llama_settings();

// Requires a proto that read_model_proto() accepted.
Result<Settings> read_settings(Bytes proto);

}  // namespace quintet::sentencepiece
