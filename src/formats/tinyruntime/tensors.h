#pragma once
// The tensors of a network under torchvision's names, in the order in which tinyRuntime files keep them:
//   conv1, layer1.0.conv1, layer1.0.conv2, layer1.0.downsample.0, ...  each .weight [out,in,k,k] and .bias [out]
//   fc, or with the concat tail head.fc1, head.fc2                     each .weight [out,in] and .bias [out]
//   head.bn1, head.bn2                                                 each .weight, .bias, .running_mean, .running_var

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/layer_table.h"
#include "formats/tinyruntime/network.h"

namespace quintet::tinyruntime {

// The tensors of a batch norm, in the order of files.
inline constexpr std::array<std::string_view, 4> kBatchNormSuffixes = {".weight", ".bias", ".running_mean",
                                                                       ".running_var"};

enum class TensorPart : uint8_t { weight, bias, batch_norm };

struct NetworkTensor {
  std::string name;
  std::vector<uint64_t> shape;
  TensorPart part = TensorPart::weight;
  uint32_t layer = 0;  // convolutions first, then linear layers, then batch norms

  uint64_t elements() const;
};

// The names of the convolutions, without ".weight".
std::vector<std::string> conv_names(const Network& graph);
std::string linear_name(const Network& graph, uint32_t linear);

// Requires a table that was recognized as `graph`.
std::vector<NetworkTensor> network_tensors(const LayerTable& table, const Network& graph);

// A key that sorts tensors into the order of the file. Unknown names come last.
uint32_t tensor_position(std::string_view name);

}  // namespace quintet::tinyruntime
