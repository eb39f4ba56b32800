#pragma once
// Loads the network of a tinyRuntime file.

#include <memory>
#include <utility>
#include <vector>

#include "architectures/vision/table_graph.h"
#include "models/vision/convolution_pass.h"
#include "models/vision/network_loader.h"
#include "models/vision/static_pass.h"

namespace quintet::vision {

// The layers of a table without their weights, one for each node.
std::vector<NodeLayer> float_layers(const LayerTable& table, const TableGraph& network);
std::vector<NodeLayer> dynamic_layers(const LayerTable& table, const TableGraph& network);
std::vector<StaticLayer> static_layers(const LayerTable& table, const TableGraph& network);

// The values of tensors go directly to their final place. Run: ConvolutionPass, or StaticPass for a table of kind sq8.
template <class Run>
class TableLoader final : public NetworkLoader {
 public:
  // `tensors`: those of the table, in whose order they arrive.
  TableLoader(const Kernels& kernels, TableGraph network, std::vector<typename Run::Layer> layers,
              std::vector<tinyruntime::NetworkTensor> tensors)
      : kernels_(kernels), network_(std::move(network)), layers_(std::move(layers)), tensors_(std::move(tensors)) {}

  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override {
    if (next_ == tensors_.size()) return fail(Code::internal, Reason::limit, "more tensors than the network has");
    const tinyruntime::NetworkTensor& expected = tensors_[next_++];
    return layers_[network_.layers[expected.layer]].sink(expected.part, tensor);
  }

  Result<std::unique_ptr<ImageNetwork>> finish() override {
    if (next_ != tensors_.size()) return fail(Code::internal, Reason::missing, "fewer tensors than the network has");
    return std::make_unique<NodeNetwork<Run>>(kernels_, std::move(network_.graph), std::move(layers_));
  }

 private:
  const Kernels& kernels_;
  TableGraph network_;
  std::vector<typename Run::Layer> layers_;
  std::vector<tinyruntime::NetworkTensor> tensors_;
  size_t next_ = 0;  // of the tensors
};

// For a table of any kind. INPUT if it is not that of a network which is known.
Result<std::unique_ptr<NetworkLoader>> make_loader(const Kernels& kernels, const LayerTable& table);

}  // namespace quintet::vision
