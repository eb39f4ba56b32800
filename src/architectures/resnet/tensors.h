#pragma once
// The tensors of a ResNet under torchvision's names, in the order in which tinyRuntime files keep them:
//   conv1, layer1.0.conv1, layer1.0.conv2, layer1.0.downsample.0, ...  each .weight [out,in,k,k] and .bias [out]
//   fc, or with the concat tail head.fc1, head.fc2                     each .weight [out,in] and .bias [out]
//   head.bn1, head.bn2                                                 each .weight, .bias, .running_mean, .running_var

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/resnet/graph.h"
#include "formats/layer_table.h"

namespace quintet {

// The tensors of a batch norm, in the order of files.
inline constexpr std::array<std::string_view, 4> kBatchNormSuffixes = {".weight", ".bias", ".running_mean",
                                                                       ".running_var"};

enum class ResNetPart : uint8_t { weight, bias, batch_norm };

struct ResNetTensor {
  std::string name;
  std::vector<uint64_t> shape;
  ResNetPart part = ResNetPart::weight;
  uint32_t layer = 0;  // convolutions first, then linear layers; of batch norms their own number
  uint32_t array = 0;  // of a batch norm: index of its suffix

  uint64_t elements() const;
};

// The names of the convolutions, without ".weight".
std::vector<std::string> conv_names(const ResNetGraph& graph);
std::string linear_name(const ResNetGraph& graph, uint32_t linear);

// Requires a table that was recognized as `graph`.
std::vector<ResNetTensor> resnet_tensors(const LayerTable& table, const ResNetGraph& graph);

// A key that sorts tensors into the order of the file. Unknown names come last.
uint32_t resnet_position(std::string_view name);

}  // namespace quintet
