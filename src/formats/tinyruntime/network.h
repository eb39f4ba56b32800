#pragma once
// The graph of a ResNet: its blocks, their convolutions and their activations. All of it follows from the tail and from
// the network's row in the table of formats/tinyruntime/networks.h.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/layer_table.h"
#include "formats/tinyruntime/networks.h"

namespace quintet::tinyruntime {

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
  uint32_t linear_activation(uint32_t linear) const;  // what quantizes the input of a linear layer
  uint32_t min_activations() const;                   // required by the graph
};

std::optional<Network> network_of(uint32_t convolutions, Tail tail);
// The numbers of convolutions that network_of() knows, for messages.
std::string supported_networks();

// For every convolution, in the order of the table.
std::vector<ConvShape> conv_shapes(const Network& graph);

// The quantization of the input of every convolution, then of every linear layer. Requires an sq8 table that was
// recognized as `graph`.
std::vector<ActivationQuantization> layer_inputs(const LayerTable& table, const Network& graph);

}  // namespace quintet::tinyruntime
