#include "runtime/classification/image_classifier.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/checked.h"
#include "kernels/registry.h"
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

ImageClassifier::ImageClassifier(ModelDescription description, std::unique_ptr<vision::Network> network)
    : description_(std::move(description)), network_(std::move(network)) {}

Status ImageClassifier::begin(const Pixels& picture, const Preparation& preparation) {
  cancel();
  QUINTET_TRY(const PreparedImage input, prepare_image(picture, preparation));
  return begin(input.data.span(), kPictureChannels, input.height, input.width);
}

Status ImageClassifier::begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width) {
  cancel();
  QUINTET_CHECK(check_shape(input, {channels, height, width}));
  if (channels != network_->input_channels()) {
    return input_error(Reason::mismatch, "the network takes {} channels, but the input has {}",
                       network_->input_channels(), channels);
  }
  if (!all_finite(input)) return input_error(Reason::out_of_range, "the input has values that are not finite");
  QUINTET_TRY(pass_, network_->start(input, static_cast<size_t>(height), static_cast<size_t>(width)));
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
  std::vector<float> logits = complete_ ? pass_->logits() : std::vector<float>();
  cancel();
  return logits;
}

void ImageClassifier::cancel() {
  pass_.reset();
  complete_ = false;
}

ClassifierLoader::ClassifierLoader() : network_(active_kernels<KernelSet::network>()) {}

Status ClassifierLoader::begin(const ModelDescription& description) { return network_.begin(*description.layers); }

Result<std::unique_ptr<ByteSink>> ClassifierLoader::tensor(const TensorArrival& tensor) {
  return network_.tensor(tensor);
}

Status ClassifierLoader::end(ModelDescription description) {
  QUINTET_TRY(auto network, network_.finish());
  classifier_ = std::make_unique<ImageClassifier>(std::move(description), std::move(network));
  return {};
}

std::unique_ptr<ImageClassifier> ClassifierLoader::take() { return std::move(classifier_); }

}  // namespace quintet
