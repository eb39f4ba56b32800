#pragma once
// The layers of LFM2 that have a short convolution in place of attention.

#include "architectures/config_fields.h"
#include "architectures/transformer/config.h"

namespace quintet {

// From config.json: `layer_types` names each layer; older files list only the layers with attention, in
// `full_attn_idxs`.
Status read_convolution_layers(const ConfigFields& fields, TransformerConfig& config);

// From the metadata of a GGUF file, with the number of heads of keys and values: layers without any have a convolution
// (llama.cpp, src/models/lfm2.cpp).
Status read_convolution_layers_gguf(const ConfigFields& fields, TransformerConfig& config);

}  // namespace quintet
