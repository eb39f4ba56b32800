#pragma once
// Whether a description is that of a whole decoder: its configuration, tensors and tokenizer, each by itself and
// together.

#include <vector>

#include "architectures/decoder/config.h"
#include "architectures/decoder/layer_parts.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// The configuration with what the tensors tell filled in. Errors say where the file is wrong: at the tensor concerned
// or, where something is missing, at its end.
Result<DecoderConfig> checked_decoder(const ModelDescription& description);

// The second half of it, for a configuration that read_decoder_config() gave before the tensors were known.
Status check_decoder(DecoderConfig& config, const ModelDescription& description);

// MISMATCH or MISSING with the tensor's name, its shape and the expected one where the tensors are not those of the
// configuration; others than the model's are no error. Fills in `n_ff` and `tie_embeddings` where the file does not
// say them.
Status check_decoder_tensors(DecoderConfig& config, const decoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors);

}  // namespace quintet
