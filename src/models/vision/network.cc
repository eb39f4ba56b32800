#include "models/vision/network.h"

#include <optional>
#include <string>

#include "architectures/resnet/check.h"
#include "base/checked.h"
#include "models/vision/float_network.h"
#include "models/vision/static_network.h"

namespace quintet::vision {
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

Network::Network(ResNetGraph graph, const LayerTable& table)
    : graph_(std::move(graph)), input_channels_(table.convs[0].in_channels), classes_(table.classes) {}

Result<std::unique_ptr<Pass>> Network::start(std::span<const float> image, size_t height, size_t width,
                                             Output output) const {
  if (output == Output::features) return unsupported_error("features of a network in a tinyRuntime file");
  QUINTET_CHECK(check_image(image, height, width));
  return begin(image, height, width, nullptr);
}

Result<std::vector<float>> Network::logits(std::span<const float> image, size_t height, size_t width,
                                           StageObserver* observer) const {
  QUINTET_CHECK(check_image(image, height, width));
  QUINTET_TRY(const std::unique_ptr<Pass> pass, begin(image, height, width, observer));
  return finish(*pass);
}

Status NetworkLoader::begin(const LayerTable& table) {
  QUINTET_TRY(ResNetGraph graph, checked_resnet(table));
  tensors_ = resnet_tensors(table, graph);
  network_ = make_network(*kernels_, std::move(graph), table);
  next_ = 0;
  return {};
}

Result<std::unique_ptr<ByteSink>> NetworkLoader::tensor(const TensorArrival& tensor) {
  if (next_ == tensors_.size()) {
    return fail(Code::internal, Reason::limit, "more tensors than the network has");
  }
  return network_->sink(tensors_[next_++], tensor);
}

Result<std::unique_ptr<Network>> NetworkLoader::finish() {
  if (next_ != tensors_.size()) {
    return fail(Code::internal, Reason::missing, "fewer tensors than the network has");
  }
  return std::move(network_);
}

}  // namespace quintet::vision
