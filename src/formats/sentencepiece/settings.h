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
};

// Requires a proto that read_model_proto() accepted.
Result<Settings> read_settings(Bytes proto);

}  // namespace quintet::sentencepiece
