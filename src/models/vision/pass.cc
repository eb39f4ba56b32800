#include "models/vision/pass.h"

#include <optional>

#include "base/checked.h"

namespace quintet::vision {

Result<std::vector<float>> finish(Pass& pass) {
  bool done = false;
  while (!done) {
    QUINTET_TRY(done, pass.step());
  }
  return pass.take();
}

Result<std::vector<float>> ImageNetwork::logits(std::span<const float> image, size_t height, size_t width,
                                                NodeObserver* observer) const {
  QUINTET_TRY(const std::unique_ptr<Pass> pass, start(image, height, width, Output::logits, observer));
  return finish(*pass);
}

Status ImageNetwork::check_image(std::span<const float> image, size_t height, size_t width) const {
  const std::optional<uint64_t> pixels = checked_mul(height, width);
  const std::optional<uint64_t> values = checked_mul(pixels.value_or(UINT64_MAX), input_channels());
  if (!image.empty() && values == image.size()) return {};
  return input_error(Reason::mismatch, "an image of {} x {} x {} does not have {} values", input_channels(), height,
                     width, image.size());
}

}  // namespace quintet::vision
