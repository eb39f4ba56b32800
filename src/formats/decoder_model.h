#pragma once
// Whether a description is that of a whole decoder: its config, tensors and tokenizer, each by
// itself and together.

#include "base/result.h"
#include "formats/decoder_config.h"
#include "formats/model_description.h"

namespace quintet {

// The config, with what the tensors tell filled in. Errors say where the file is wrong: at the
// tensor concerned or, where something is missing, at its end.
Result<DecoderConfig> checked_decoder(const ModelDescription& description);

}  // namespace quintet
