#pragma once
// Reads settings of single layers: a list, an interval or a count.

#include <cstdint>
#include <string_view>

#include "architectures/config_fields.h"
#include "architectures/transformer/config.h"
#include "base/json.h"
#include "base/result.h"

namespace quintet {

// Layers interval - 1, 2 * interval - 1 and so on of `layers`. None for an interval of 0.
LayerSet every_nth_layer(uint64_t interval, uint64_t layers, bool from_first = false);

// The first `count` of `layers`.
LayerSet first_layers(uint64_t count, uint64_t layers);

// The members of `layers` that are not in the set.
LayerSet other_layers(const LayerSet& set, uint64_t layers);

// A list with an entry for each layer; null if the field is absent.
Result<const Json::Array*> list_of_layers(const ConfigFields& fields, std::string_view key, uint64_t layers);

// From a list with one of two JSON values for each layer: the layers with `member`. Unchanged if the field is absent.
Status read_listed_layers(const ConfigFields& fields, std::string_view key, uint64_t layers, std::string_view member,
                          std::string_view other, LayerSet& set);

// AMB's list of layer numbers, in ascending order. Unchanged if the field is absent.
Status read_layer_numbers(const ConfigFields& fields, std::string_view key, uint64_t layers, LayerSet& set);
Json layer_numbers(const LayerSet& set);

}  // namespace quintet
