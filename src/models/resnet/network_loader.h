#pragma once
// Loads a network from the tensors of a tinyRuntime file, whose values go to their final place as they arrive.

#include <memory>
#include <vector>

#include "formats/model_sink.h"
#include "kernels/kernels.h"
#include "models/resnet/network.h"

namespace quintet::resnet {

class NetworkLoader {
 public:
  explicit NetworkLoader(const Kernels& kernels) : kernels_(&kernels) {}

  // The table of a ResNet of any kind; another one is an error of the caller.
  Status begin(const LayerTable& table);
  // As ModelSink::tensor, for the tensors of resnet_tensors(table) in their order.
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain);
  // After the last tensor.
  Result<std::unique_ptr<Network>> finish();

 private:
  const Kernels* kernels_;
  std::vector<ResNetTensor> tensors_;
  std::unique_ptr<Network> network_;
  size_t next_ = 0;  // of the tensors
};

}  // namespace quintet::resnet
