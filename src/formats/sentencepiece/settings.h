#pragma once
// The settings of a ModelProto for splitting text into pieces.

#include "base/bytes.h"
#include "base/result.h"
#include "tokenizers/sentencepiece/sentencepiece_description.h"

namespace quintet::sentencepiece {

// Requires a proto that read_model_proto() accepted. Settings that are missing in the proto have the schema's defaults,
// which differ from those of SentencePieceSettings.
Result<SentencePieceSettings> read_settings(Bytes proto);

}  // namespace quintet::sentencepiece
