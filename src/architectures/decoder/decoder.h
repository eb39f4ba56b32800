#pragma once
// Whether a description is that of a whole decoder: its configuration, tensors and tokenizer, each by itself and
// together.

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// The configuration with what the tensors tell filled in. Errors say where the file is wrong: at the tensor concerned
// or, where something is missing, at its end.
Result<DecoderConfig> checked_decoder(const ModelDescription& description);

// The second half of it, for a configuration that read_decoder_config() gave before the tensors were known.
Status check_decoder(DecoderConfig& config, const ModelDescription& description);

}  // namespace quintet
