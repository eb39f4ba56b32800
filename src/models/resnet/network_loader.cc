#include "models/resnet/network_loader.h"

#include <utility>

#include "architectures/resnet/check.h"
#include "models/resnet/float_network.h"
#include "models/resnet/static_network.h"

namespace quintet::resnet {
namespace {

std::unique_ptr<Network> make_network(const Kernels& kernels, ResNetGraph graph, const LayerTable& table) {
  switch (table.kind) {
    case NetworkKind::vanilla:
      return std::make_unique<FloatNetwork>(kernels, std::move(graph), table);
    case NetworkKind::dq8:
      return std::make_unique<DynamicNetwork>(kernels, std::move(graph), table);
    case NetworkKind::sq8:
      break;
  }
  return std::make_unique<StaticNetwork>(kernels, std::move(graph), table);
}

}  // namespace

Status NetworkLoader::begin(const LayerTable& table) {
  QUINTET_TRY(ResNetGraph graph, checked_resnet(table));
  tensors_ = resnet_tensors(table, graph);
  network_ = make_network(*kernels_, std::move(graph), table);
  next_ = 0;
  return {};
}

Result<std::unique_ptr<TensorSink>> NetworkLoader::tensor(const TensorInfo& info, bool certain) {
  if (next_ == tensors_.size()) {
    return fail({.code = Code::internal, .reason = Reason::limit, .detail = "more tensors than the network has"});
  }
  return network_->sink(tensors_[next_++], info, certain);
}

Result<std::unique_ptr<Network>> NetworkLoader::finish() {
  if (next_ != tensors_.size()) {
    return fail({.code = Code::internal, .reason = Reason::missing, .detail = "fewer tensors than the network has"});
  }
  return std::move(network_);
}

}  // namespace quintet::resnet
