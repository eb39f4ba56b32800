#pragma once
// ResNets as training leaves them: float tensors under PyTorch's names, with a batch norm after every convolution.
// Reading one gives the table of layers, and where the values of each of its tensors come from.
//
// Known names: torchvision's and those of the CIFAR ResNets (conv1, bn1, layer1.0.conv1,
// layer1.0.downsample.0, fc or linear), our own tail (head.bn1, head.fc1, ...), and fastai's sequential model (0.0,
// 0.1, 0.4.0.conv1, ...; the head of create_head() 1.2, 1.4, 1.6, 1.8); each with "module." or "model." in front.
// num_batches_tracked is ignored.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/model_description.h"
#include "formats/tinyruntime/network.h"
#include "formats/tinyruntime/tensors.h"

namespace quintet {

// The layer names of a ResNet checkpoint: torchvision's names or those of fastai's sequential model.
class CheckpointNames {
 public:
  // The scheme in which the stem has its name; nothing if there is none.
  static std::optional<CheckpointNames> find(const std::vector<TensorInfo>& tensors);

  // A single linear layer, "fc" or "linear".
  bool plain_tail() const { return !linear_.empty(); }
  // `conv` is torchvision's name.
  std::string conv(std::string_view conv) const;
  std::string norm_behind(std::string_view conv) const;
  std::string linear(uint32_t index) const;
  std::string head_norm(uint32_t index) const;  // of the concat tail

 private:
  std::string prefix_;
  bool sequential_ = false;  // fastai: Sequential(body, head)
  std::string linear_;
};

struct NetworkSource {
  tinyruntime::NetworkTensor tensor;  // of the network without the folded batch norms
  std::string values;      // the checkpoint's tensor; empty: zeros, for a bias that comes from the batch norm only
  std::string batch_norm;  // what is folded in (tensor/batch_norm_folding.h): the name without ".weight", ".bias",
                           // ".running_mean", ".running_var"; empty: nothing, the values are taken as they are
};

struct NetworkCheckpoint {
  tinyruntime::Network graph;
  LayerTable layers;                   // of kind vanilla
  std::vector<NetworkSource> sources;  // in the order of the format
};

// INPUT errors name the tensor that is missing or has the wrong shape. Other networks, and tensors that belong to none
// of the layers, are UNSUPPORTED.
Result<NetworkCheckpoint> read_network_checkpoint(const std::vector<TensorInfo>& tensors);

}  // namespace quintet
