#pragma once
// Checks that a description is that of a complete decoder: its configuration, tensors and tokenizer, separately and
// together.

#include <vector>

#include "architectures/decoder/config.h"
#include "architectures/decoder/layer_parts.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// The configuration, completed from the tensors. Errors have the offset of the tensor concerned or, if something is
// missing, of the end of the file.
Result<DecoderConfig> checked_decoder(const ModelDescription& description);

// The second half of this, for a configuration that read_decoder_config() read before the tensors were known.
Status check_decoder(DecoderConfig& config, const ModelDescription& description);

// MISMATCH or MISSING with the name, the shape and the expected shape of a tensor that contradicts the configuration;
// additional tensors are allowed. Fills in `n_ff` and `tie_embeddings` if the file does not contain them.
Status check_decoder_tensors(DecoderConfig& config, const decoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors);

}  // namespace quintet
