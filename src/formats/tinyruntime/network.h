#pragma once
// The networks of tinyRuntime files: their blocks, convolutions and activations. A file does not name its network; it
// follows from the number of convolutions and from the tail (docs/formats/tinyruntime.md, "Networks").

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/layer_table.h"

namespace quintet::tinyruntime {

// A row of the table.
struct Variant {
  std::string_view name;
  bool cifar;                      // a 3x3 stem, no pooling, shortcuts without parameters
  uint32_t convs_per_block;        // basic blocks have 2, bottlenecks 3
  std::array<uint32_t, 4> blocks;  // of each stage

  constexpr bool bottleneck() const { return convs_per_block == 3; }
  // A bottleneck makes its input four times as wide, so even the first stage needs a convolution in its shortcut.
  constexpr bool downsamples(uint32_t stage, uint32_t index) const {
    return !cifar && index == 0 && (stage != 0 || bottleneck());
  }
  constexpr uint32_t convolutions() const {
    uint32_t count = 1;  // the stem
    for (uint32_t stage = 0; stage < blocks.size(); ++stage) {
      count += blocks[stage] * convs_per_block + (blocks[stage] != 0 && downsamples(stage, 0) ? 1 : 0);
    }
    return count;
  }
};

inline constexpr Variant kVariants[] = {
    {"ResNet-18", false, 2, {2, 2, 2, 2}}, {"ResNet-34", false, 2, {3, 4, 6, 3}}, {"ResNet-50", false, 3, {3, 4, 6, 3}},
    {"ResNet-20", true, 2, {3, 3, 3, 0}},  {"ResNet-32", true, 2, {5, 5, 5, 0}},  {"ResNet-44", true, 2, {7, 7, 7, 0}},
    {"ResNet-56", true, 2, {9, 9, 9, 0}},
};

// The row with this number of convolutions, which is unique; null if there is none.
constexpr const Variant* find_variant(uint32_t convolutions) {
  for (const Variant& variant : kVariants) {
    if (variant.convolutions() == convolutions) return &variant;
  }
  return nullptr;
}

// The layers after the last block. concat: global maxima then averages, batch norm, linear, ReLU, batch norm, linear.
// plain: global averages, linear.
enum class Tail : uint8_t { concat, plain };

// The tail with this many layers; nothing if there is none.
constexpr std::optional<Tail> tail_of(uint32_t linears, uint32_t batch_norms) {
  if (linears == 2 && batch_norms == 2) return Tail::concat;
  if (linears == 1 && batch_norms == 0) return Tail::plain;
  return std::nullopt;
}

std::string_view name_of(Tail tail);

// Convolutions are indices into LayerTable::convs. Those of a block are consecutive, with the downsample last.
struct Block {
  uint32_t stage = 0;   // from 0
  uint32_t index = 0;   // in the stage, from 0
  uint32_t stride = 1;  // of the first 3x3 convolution, and of the shortcut
  uint32_t first_conv = 0;
  uint32_t conv_count = 2;      // basic block: two 3x3; bottleneck, three: 1x1, 3x3, 1x1
  bool downsample = false;      // the shortcut is a 1x1 convolution
  uint32_t sum_activation = 0;  // entry of LayerTable::activations that quantizes the block's sum

  bool bottleneck() const { return conv_count == 3; }
  uint32_t last_conv() const { return first_conv + conv_count - 1; }
  uint32_t downsample_conv() const { return first_conv + conv_count; }
};

struct Network {
  std::string_view architecture;  // "ResNet-18"
  // CIFAR networks have a 3x3 stem without pooling, and shortcuts without parameters: every second row and column, with
  // zeros for new channels, half of them before and half after.
  bool cifar = false;
  Tail tail = Tail::plain;
  std::vector<Block> blocks;  // convolution 0 is the stem
  // The index in the activation table (docs/formats/tinyruntime.md, "Values") after the last block.
  uint32_t tail_activation = 0;

  // Usual side length of the input: that of ImageNet or of CIFAR.
  uint32_t usual_input_size() const { return cifar ? 32 : 224; }

  // Indices into the activation table.
  uint32_t concatenation_activation() const { return tail_activation + 3; }
  uint32_t linear_activation(uint32_t linear) const;  // quantizes the input of a linear layer
  uint32_t min_activations() const;                   // required by the graph
};

std::optional<Network> network_of(uint32_t convolutions, Tail tail);
// The numbers of convolutions that network_of() recognizes, for messages.
std::string supported_networks();

// For every convolution, in the order of the table.
std::vector<ConvShape> conv_shapes(const Network& graph);

// The quantization of the input of every convolution, then of every linear layer. Requires an sq8 table that was
// recognized as `graph`.
std::vector<ActivationQuantization> layer_inputs(const LayerTable& table, const Network& graph);

}  // namespace quintet::tinyruntime
