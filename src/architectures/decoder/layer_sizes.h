#pragma once
// The sizes of a decoder whose layers are of two kinds, with and without a sliding window.

#include "architectures/decoder/config.h"
#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"

namespace quintet::decoder {

// GGUF has a number for all layers, or one for each: of heads of keys and values, which depend on the window, and the
// width of the MLP, which depends on whether the layer has its own keys and values. The number of layers and those
// without a window are known.
Status read_listed_sizes(const DecoderFields& fields, DecoderConfig& config);

// Facts of config.json about the kinds of layers. Sizes that are common to all are already read.
Status read_layer_kinds(const Family& family, const DecoderFields& fields, DecoderConfig& config);

// From a list with a number for each layer: `sparse` in the first ones, whose gates are sparse, else 0 or less. Without
// the list these are 10, in models with more layers.
Status read_sparse_layers(const DecoderFields& fields, std::string_view key, double sparse, DecoderConfig& config);

// Completes the sizes of layers with a window, and checks that all layers can be computed. To be called last.
Status complete_layer_sizes(const DecoderFields& fields, DecoderConfig& config);

}  // namespace quintet::decoder
