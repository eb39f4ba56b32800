#pragma once
// Checks the tensors of a decoder against its configuration.

#include <vector>

#include "architectures/decoder/config.h"
#include "architectures/decoder/tensor_names.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// MISMATCH or MISSING with the name, the shape and the expected shape of a tensor that contradicts the configuration;
// additional tensors are allowed. Fills in `n_ff` and `tie_embeddings` if the file does not contain them.
Status check_decoder_tensors(DecoderConfig& config, const decoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors);

}  // namespace quintet
