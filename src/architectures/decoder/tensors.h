#pragma once
// Whether the tensors of a file are those that its configuration demands.

#include <vector>

#include "architectures/decoder/layer_parts.h"
#include "base/result.h"

namespace quintet {

// MISMATCH or MISSING with the tensor's name, its shape and the expected one where the tensors are not those of the
// configuration; others than the model's are no error. Fills in `n_ff` and `tie_embeddings` where the file does not
// say them.
Status check_decoder_tensors(DecoderConfig& config, const decoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors);

}  // namespace quintet
