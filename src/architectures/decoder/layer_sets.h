#pragma once
// The ways in which configurations say which layers of a decoder differ from the others.

#include <cstdint>
#include <string_view>

#include "architectures/decoder/config.h"
#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"

namespace quintet::decoder {

// Layers interval - 1, 2 * interval - 1 and so on of `layers`. None for an interval of 0.
LayerSet every_nth_layer(uint64_t interval, uint64_t layers, bool from_first = false);

// The first `count` of `layers`.
LayerSet first_layers(uint64_t count, uint64_t layers);

// From a list with one of two JSON values for each layer: the layers with `member`. Unchanged if the field is absent.
Status read_listed_layers(const DecoderFields& fields, std::string_view key, uint64_t layers, std::string_view member,
                          std::string_view other, LayerSet& set);

// From a list with a number for each layer: `sparse` in the first ones, whose gates are sparse, else 0 or less. Without
// the list these are 10, in models with more layers.
Status read_sparse_layers(const DecoderFields& fields, std::string_view key, double sparse, DecoderConfig& config);

// How layers with a window are rotated, and those without, where that differs: facts of the family.
void infer_rope_by_window(const Family& family, DecoderConfig& config);

// AMB's list of layer numbers, in ascending order. Unchanged if the field is absent.
Status read_layer_numbers(const DecoderFields& fields, std::string_view key, uint64_t layers, LayerSet& set);
Json layer_numbers(const LayerSet& set);

}  // namespace quintet::decoder
