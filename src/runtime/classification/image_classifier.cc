#include "runtime/classification/image_classifier.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/checked.h"
#include "tensor/finite.h"

namespace quintet {
namespace {

constexpr uint32_t kPictureChannels = 3;

// The product of the sizes is the length of the input, so each of them fits size_t.
Status check_shape(std::span<const float> input, const std::array<uint64_t, 3>& shape) {
  const auto [channels, height, width] = shape;
  const std::string text = formatted("{} x {} x {}", channels, height, width);
  if (channels == 0 || height == 0 || width == 0) return input_error(Reason::out_of_range, "an input of {}", text);
  const auto pixels = checked_mul(height, width);
  if (!pixels || *pixels > kMaxPixels) {
    return input_error(Reason::limit, "an input of {} is too large: at most {} pixels are allowed", text, kMaxPixels);
  }
  const auto values = checked_mul(*pixels, channels);
  if (values == input.size()) return {};
  return input_error(Reason::mismatch, "an input of {} does not have {} values", text, input.size());
}

}  // namespace

ImageClassifier::ImageClassifier(ModelDescription description, std::unique_ptr<vision::ImageNetwork> network,
                                 Usage usage)
    : description_(std::move(description)), network_(std::move(network)), usage_(std::move(usage)) {}

Status ImageClassifier::prepare_as(const PreparationOptions& options) {
  Preparation& preparation = usage_.preparation;
  if (options.size || options.shorter_side) {
    const std::optional<ImageSize> usual = preparation.fixed_size();
    const uint32_t size = options.size.value_or(usual ? usual->height : network_->usual_input_size());
    Preparation square = Preparation::for_size(size);
    if (options.shorter_side) {
      if (*options.shorter_side < size) {
        return input_error(Reason::out_of_range, "load: 'shorterSide' must be at least the input size of {}, not {}",
                           size, *options.shorter_side);
      }
      square = Preparation::cropped(size, *options.shorter_side);
    }
    preparation.scaling = square.scaling;
    preparation.crop = square.crop;
  }
  if (options.mean) preparation.mean = *options.mean;
  if (options.standard_deviation) preparation.standard_deviation = *options.standard_deviation;
  return {};
}

Result<PreparedImage> ImageClassifier::prepare(const Pixels& picture) const {
  return prepare_image(picture, usage_.preparation);
}

Status ImageClassifier::begin(const Pixels& picture, vision::Output output) {
  cancel();
  QUINTET_TRY(const PreparedImage input, prepare(picture));
  return begin(input.data.span(), kPictureChannels, input.height, input.width, output);
}

Status ImageClassifier::begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width,
                              vision::Output output) {
  cancel();
  QUINTET_CHECK(check_shape(input, {channels, height, width}));
  if (channels != network_->input_channels()) {
    return input_error(Reason::mismatch, "the network takes {} channels, but the input has {}",
                       network_->input_channels(), channels);
  }
  if (!all_finite(input)) return input_error(Reason::out_of_range, "the input has values that are not finite");
  QUINTET_TRY(pass_, network_->start(input, static_cast<size_t>(height), static_cast<size_t>(width), output));
  return {};
}

Result<bool> ImageClassifier::step() {
  if (!pass_) return input_error(Reason::missing, "no pass was started");
  if (complete_) return true;
  const Result<bool> done = pass_->step();
  if (done) {
    complete_ = *done;
  } else {
    cancel();
  }
  return done;
}

std::vector<float> ImageClassifier::take() {
  std::vector<float> output = complete_ ? pass_->take() : std::vector<float>();
  cancel();
  return output;
}

void ImageClassifier::cancel() {
  pass_.reset();
  complete_ = false;
}

}  // namespace quintet
