#pragma once
// Whether a table of layers is the ResNet that its number of convolutions says: shapes of the convolutions, channels
// that chain, layers of the tail that fit, activations that suffice (RULINGS "tinyRuntime" 5 and 6).

#include <expected>
#include <optional>
#include <string>

#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/resnet_graph.h"

namespace quintet {

// One number of a table, so that a reader can tell where it stands in its file.
struct LayerField {
  enum class Part : uint8_t { table, conv, linear, batch_norm, activation };
  enum class Name : uint8_t {
    classes,
    convolutions,
    linears,
    batch_norms,
    activations,  // of the table
    kernel,
    stride,
    padding,
    in,
    out,
    output_scale,
    output_zero_point,  // of a layer; a batch norm's size is `in`
  };
  Part part = Part::table;
  uint32_t index = 0;
  Name name = Name::classes;
};

struct LayerFault {
  LayerField field;
  // The number that `field` contradicts, where either may be the wrong one.
  std::optional<LayerField> against = {};
  std::string detail;
};

// Most channels, features and classes of a layer: far beyond any ResNet, and the products of two and a 7x7 kernel fit
// 64 bits.
inline constexpr uint32_t kMostChannels = 1U << 20;

std::expected<ResNetGraph, LayerFault> resnet_of_counts(uint32_t convs, uint32_t linears, uint32_t batch_norms);
std::expected<ResNetGraph, LayerFault> recognise_resnet(const LayerTable& table);
// The same for a table that came from no file: the fault is an INPUT error.
Result<ResNetGraph> checked_resnet(const LayerTable& table);

}  // namespace quintet
