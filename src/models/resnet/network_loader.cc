#include "models/resnet/network_loader.h"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "formats/resnet_check.h"
#include "formats/resnet_tensors.h"
#include "models/resnet/dynamic_network.h"
#include "models/resnet/float_network.h"
#include "models/resnet/static_network.h"
#include "models/tensor_sinks.h"

namespace quintet::resnet {
namespace {

using Parts = std::variant<FloatNetwork::Parts, DynamicNetwork::Parts, StaticNetwork::Parts>;

Parts parts_for(const LayerTable& table, const ResNetGraph& graph) {
  switch (table.kind) {
    case NetworkKind::vanilla:
      return FloatNetwork::parts(table);
    case NetworkKind::dq8:
      return DynamicNetwork::parts(table);
    case NetworkKind::sq8:
      break;
  }
  return StaticNetwork::parts(table, graph);
}

// Which network has such parts.
template <class Parts>
struct NetworkOf;
template <>
struct NetworkOf<FloatNetwork::Parts> {
  using Type = FloatNetwork;
};
template <>
struct NetworkOf<DynamicNetwork::Parts> {
  using Type = DynamicNetwork;
};
template <>
struct NetworkOf<StaticNetwork::Parts> {
  using Type = StaticNetwork;
};

}  // namespace

struct NetworkLoader::State {
  struct Model {
    LayerTable table;
    ResNetGraph graph;
    std::vector<ResNetTensor> tensors;
    Parts parts;
    size_t next = 0;  // of the tensors
  };

  const Kernels& kernels;
  std::optional<Model> model = {};
};

NetworkLoader::NetworkLoader(const Kernels& kernels) : state_(std::make_unique<State>(State{.kernels = kernels})) {}
NetworkLoader::NetworkLoader(NetworkLoader&&) noexcept = default;
NetworkLoader::~NetworkLoader() = default;

Status NetworkLoader::begin(const LayerTable& table) {
  QUINTET_TRY(ResNetGraph graph, checked_resnet(table));
  std::vector<ResNetTensor> tensors = resnet_tensors(table, graph);
  Parts parts = parts_for(table, graph);
  state_->model.emplace(State::Model{
      .table = table, .graph = std::move(graph), .tensors = std::move(tensors), .parts = std::move(parts)});
  return {};
}

Result<std::unique_ptr<TensorSink>> NetworkLoader::tensor(const TensorInfo& info, bool certain) {
  State::Model& model = *state_->model;
  if (model.next == model.tensors.size()) {
    return fail({.code = Code::internal, .reason = Reason::limit, .detail = "more tensors than the network has"});
  }
  const ResNetTensor& tensor = model.tensors[model.next++];
  // Batch norms come last.
  const size_t array = (model.tensors.size() - model.next) % kNormArrays;
  return std::visit(
      [&](auto& parts) -> Result<std::unique_ptr<TensorSink>> {
        switch (tensor.part) {
          case ResNetPart::weight:
            return parts.layer(tensor.layer).weight_sink(info, certain);
          case ResNetPart::bias:
            return parts.layer(tensor.layer).bias_sink(info, certain);
          case ResNetPart::batch_norm:
            break;
        }
        return vector_sink(info, parts.norms[tensor.layer].arrays[kNormArrays - 1 - array]);
      },
      model.parts);
}

Result<std::unique_ptr<Network>> NetworkLoader::finish() {
  State::Model& model = *state_->model;
  if (model.next != model.tensors.size()) {
    return fail({.code = Code::internal, .reason = Reason::missing, .detail = "fewer tensors than the network has"});
  }
  return std::visit(
      [&]<class Kind>(Kind& parts) -> Result<std::unique_ptr<Network>> {
        return std::make_unique<typename NetworkOf<Kind>::Type>(state_->kernels, std::move(model.graph), model.table,
                                                                std::move(parts));
      },
      model.parts);
}

}  // namespace quintet::resnet
