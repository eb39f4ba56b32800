#pragma once
// Shared by the bindings of networks of images: pictures and preprocessed inputs in, a vector out, step by
// step.

#include <emscripten/bind.h>

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "bindings/outcome.h"
#include "bindings/window.h"
#include "image/prepare.h"
#include "runtime/image_network/picture_network.h"

namespace quintet::js {

// Samples of the largest picture, with alpha.
inline constexpr uint64_t kMaxSamples = 4 * kMaxPixels;

inline Result<uint64_t> size_of(const char* what, double number, uint64_t max = std::numeric_limits<uint64_t>::max()) {
  const std::optional<uint64_t> size = whole_number(number);
  if (size && *size <= max) return *size;
  return input_error(Reason::out_of_range, "the {} must be an integer up to {}", what, max);
}

inline Result<uint32_t> short_size_of(const char* what, double number) {
  QUINTET_TRY(const uint64_t size, size_of(what, number, std::numeric_limits<uint32_t>::max()));
  return static_cast<uint32_t>(size);
}

inline Result<Pixels> picture_of(double width, double height, double channels, std::span<const std::byte> samples) {
  Pixels picture;
  picture.samples = {reinterpret_cast<const uint8_t*>(samples.data()), samples.size()};
  QUINTET_TRY(picture.width, short_size_of("width", width));
  QUINTET_TRY(picture.height, short_size_of("height", height));
  QUINTET_TRY(picture.channels, short_size_of("number of channels", channels));
  return picture;
}

// JavaScript calls its methods on the classes of bindings that derive from it, which bind_picture_calls() must be
// called for. Model: ImageClassifier or ImageEmbedder.
template <class Model>
class PictureCalls : Counted {
 public:
  explicit PictureCalls(std::unique_ptr<Model> model) : model_(std::move(model)) {}

  val pixel_window(double bytes) {
    const std::optional<uint64_t> count = whole_number(bytes);
    return count && *count <= kMaxSamples ? window_.view(static_cast<size_t>(*count)) : val::null();
  }
  // { data, height, width }
  val prepare(double width, double height, double channels) {
    const Result<Pixels> picture = picture_of(width, height, channels, window_.all());
    const Result<PreparedImage> image = picture ? model_->prepare(*picture) : fail(picture.error());
    window_.release();
    if (!image) return failure(image.error());
    val value = val::object();
    value.set("data", float32_array(image->data.span()));
    value.set("height", image->height);
    value.set("width", image->width);
    return success(value);
  }
  val input_window(double values) {
    const std::optional<uint64_t> count = whole_number(values);
    return count && *count <= kMaxSamples ? window_.float_view(static_cast<size_t>(*count)) : val::null();
  }

  val step() {
    const Result<bool> done = model_->step();
    return done ? success(val(*done)) : failure(done.error());
  }
  val take() { return float32_array(model_->take()); }
  void cancel() { model_->cancel(); }

 protected:
  const Model& model() const { return *model_; }

  // begin(model, picture) with what the window holds.
  template <class Begin>
  val begin_pixels(double width, double height, double channels, Begin begin) {
    const Result<Pixels> picture = picture_of(width, height, channels, window_.all());
    return ended(picture ? begin(*model_, *picture) : fail(picture.error()));
  }
  // begin(model, values, channels, height, width), likewise.
  template <class Begin>
  val begin_values(double channels, double height, double width, Begin begin) {
    const std::span<const std::byte> bytes = window_.all();
    const std::span values(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
    const auto planes = size_of("number of channels", channels), rows = size_of("height", height),
               columns = size_of("width", width);
    for (const auto* const size : {&planes, &rows, &columns}) {
      if (!*size) return failure(size->error());
    }
    return ended(begin(*model_, values, *planes, *rows, *columns));
  }
  val ended(const Status& status) {
    window_.release();
    return outcome(status);
  }
  Model& model() { return *model_; }

 private:
  std::unique_ptr<Model> model_;
  Window window_;
};

template <class Model>
void bind_picture_calls() {
  using Calls = PictureCalls<Model>;
  emscripten::class_<Calls>("PictureCalls")
      .function("pixelWindow", &Calls::pixel_window)
      .function("prepare", &Calls::prepare)
      .function("inputWindow", &Calls::input_window)
      .function("step", &Calls::step)
      .function("take", &Calls::take)
      .function("cancel", &Calls::cancel);
}

}  // namespace quintet::js
