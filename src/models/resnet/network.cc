#include "models/resnet/network.h"

#include <optional>
#include <string>
#include <utility>

#include "base/checked.h"

namespace quintet::resnet {

Network::Network(ResNetGraph graph, const LayerTable& table)
    : graph_(std::move(graph)), input_channels_(table.convs[0].in_channels), classes_(table.classes) {}

Result<std::unique_ptr<Pass>> Network::start(std::span<const float> image, size_t height, size_t width,
                                             StageObserver* observer) const {
  QUINTET_CHECK(check_image(image, height, width));
  return begin(image, height, width, observer);
}

Result<std::vector<float>> Network::logits(std::span<const float> image, size_t height, size_t width,
                                           StageObserver* observer) const {
  QUINTET_TRY(const std::unique_ptr<Pass> pass, start(image, height, width, observer));
  return finish(*pass);
}

Status Network::check_image(std::span<const float> image, size_t height, size_t width) const {
  const std::optional<uint64_t> pixels = checked_mul(height, width);
  const std::optional<uint64_t> values = checked_mul(pixels.value_or(UINT64_MAX), input_channels_);
  if (!image.empty() && values == image.size()) return {};
  return input_error(Reason::mismatch, "an image of " + std::to_string(input_channels_) + " x " +
                                           std::to_string(height) + " x " + std::to_string(width) + " has not " +
                                           std::to_string(image.size()) + " values");
}

Result<std::vector<float>> finish(Pass& pass) {
  bool done = false;
  while (!done) {
    QUINTET_TRY(done, pass.step());
  }
  return pass.logits();
}

}  // namespace quintet::resnet
