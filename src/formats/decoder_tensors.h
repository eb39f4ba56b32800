#pragma once
// The tensors of a decoder under Hugging Face's names (RULINGS "AMB" 8): which a config demands, in which shapes.

#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/decoder_config.h"
#include "formats/model_description.h"

namespace quintet {

// MISMATCH or MISSING with the tensor's name where the tensors are not those of the config; others than the model's are
// no error. Fills in `n_ff` and `tie_embeddings` where the config does not say them.
Status check_decoder_tensors(DecoderConfig& config, const std::vector<TensorInfo>& tensors);

// Whether a decoder computes with a tensor of that name.
bool is_decoder_tensor(std::string_view name);

}  // namespace quintet
