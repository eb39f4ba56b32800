#pragma once
// Checks that a description is that of a complete decoder: its configuration, tensors and tokenizer, separately and
// together.

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// The configuration, completed from the tensors. Errors have the offset of the tensor concerned or, if something is
// missing, of the end of the file.
Result<DecoderConfig> checked_decoder(const ModelDescription& description);

// The second half of this, for a configuration that read_decoder_config() read before the tensors were known.
Status check_decoder(DecoderConfig& config, const ModelDescription& description);

}  // namespace quintet
