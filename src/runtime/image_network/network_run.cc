#include "runtime/image_network/network_run.h"

#include <array>
#include <string>
#include <utility>

#include "base/checked.h"
#include "image/prepare.h"
#include "tensor/finite.h"

namespace quintet {
namespace {

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

Status NetworkRun::begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width,
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

Result<bool> NetworkRun::step() {
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

std::vector<float> NetworkRun::take() {
  std::vector<float> output = complete_ ? pass_->take() : std::vector<float>();
  cancel();
  return output;
}

void NetworkRun::cancel() {
  pass_.reset();
  complete_ = false;
}

}  // namespace quintet
