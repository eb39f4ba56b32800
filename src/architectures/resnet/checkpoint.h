#pragma once
// ResNets as training leaves them: float tensors under PyTorch's names, with a batch norm behind every convolution.
// Reading one gives the table of layers, and where the values of each of its tensors come from.
//
// Known names: torchvision's and those of the CIFAR ResNets (conv1, bn1, layer1.0.conv1,
// layer1.0.downsample.0, fc or linear), our own tail (head.bn1, head.fc1, ...), and fastai's sequential model (0.0,
// 0.1, 0.4.0.conv1, ...; the head of create_head() 1.2, 1.4, 1.6, 1.8); each with "module." or "model." in front.
// num_batches_tracked is ignored.

#include <string>
#include <vector>

#include "architectures/resnet/graph.h"
#include "architectures/resnet/tensors.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/model_description.h"

namespace quintet {

struct ResNetSource {
  ResNetTensor tensor;     // of the network without the folded batch norms
  std::string values;      // the checkpoint's tensor; empty: zeros, a bias that comes from the batch norm alone
  std::string batch_norm;  // what is folded in (tensor/batch_norm_folding.h): the name without ".weight", ".bias",
                           // ".running_mean", ".running_var"; empty: nothing, the values are taken as they are
};

struct ResNetCheckpoint {
  ResNetGraph graph;
  LayerTable layers;                  // of kind vanilla
  std::vector<ResNetSource> sources;  // in the order of the format
};

// INPUT errors name the tensor that is missing or has the wrong shape. Other networks, and tensors that belong to none
// of the layers, are UNSUPPORTED.
Result<ResNetCheckpoint> read_resnet_checkpoint(const std::vector<TensorInfo>& tensors);

}  // namespace quintet
