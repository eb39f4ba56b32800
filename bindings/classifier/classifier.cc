// ClassifierLoader and Classifier: read a tinyRuntime file chunk by chunk, and classify pictures or preprocessed inputs
// step by step.

#include <emscripten/bind.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "bindings/intake.h"
#include "bindings/outcome.h"
#include "bindings/window.h"
#include "runtime/classification/image_classifier.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

// Samples of the largest picture, with alpha.
constexpr uint64_t kMaxSamples = 4 * kMaxPixels;

Result<uint64_t> size_of(const char* what, double number, uint64_t max = std::numeric_limits<uint64_t>::max()) {
  const std::optional<uint64_t> size = whole_number(number);
  if (size && *size <= max) return *size;
  return input_error(Reason::out_of_range, "the {} must be an integer up to {}", what, max);
}

Result<uint32_t> short_size_of(const char* what, double number) {
  QUINTET_TRY(const uint64_t size, size_of(what, number, std::numeric_limits<uint32_t>::max()));
  return static_cast<uint32_t>(size);
}

// Red, green, blue. Numbers beyond the range of a float become infinite, which is rejected like any infinity.
Result<std::array<float, 3>> colours_of(const char* what, const val& numbers) {
  std::array<float, 3> colours;
  if (numbers["length"].as<double>() != double{colours.size()}) {
    return input_error(Reason::mismatch, "the {} must be three numbers", what);
  }
  for (size_t i = 0; i < colours.size(); ++i) colours[i] = numbers[i].as<float>();
  return colours;
}

struct PictureRequest {
  double width, height, channels, size, shorter_side;
  const val& mean;
  const val& standard_deviation;
};

Result<Pixels> picture_of(const PictureRequest& request, std::span<const std::byte> samples) {
  Pixels picture;
  picture.samples = {reinterpret_cast<const uint8_t*>(samples.data()), samples.size()};
  QUINTET_TRY(picture.width, short_size_of("width", request.width));
  QUINTET_TRY(picture.height, short_size_of("height", request.height));
  QUINTET_TRY(picture.channels, short_size_of("number of channels", request.channels));
  return picture;
}

Result<Preparation> preparation_of(const PictureRequest& request) {
  QUINTET_TRY(const uint32_t size, short_size_of("size", request.size));
  QUINTET_TRY(const uint32_t shorter_side, short_size_of("shorter side", request.shorter_side));
  Preparation preparation = Preparation::cropped(size, shorter_side);
  QUINTET_TRY(preparation.mean, colours_of("mean", request.mean));
  QUINTET_TRY(preparation.standard_deviation, colours_of("standard deviation", request.standard_deviation));
  return preparation;
}

Status begin_scaled(ImageClassifier& classifier, std::span<const std::byte> samples, const PictureRequest& request) {
  QUINTET_TRY(const Pixels picture, picture_of(request, samples));
  QUINTET_TRY(const Preparation preparation, preparation_of(request));
  return classifier.begin(picture, preparation);
}

std::span<const float> floats_in(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

Status begin_prepared(ImageClassifier& classifier, std::span<const float> input, double channels, double height,
                      double width) {
  QUINTET_TRY(const uint64_t planes, size_of("number of channels", channels));
  QUINTET_TRY(const uint64_t rows, size_of("height", height));
  QUINTET_TRY(const uint64_t columns, size_of("width", width));
  return classifier.begin(input, planes, rows, columns);
}

class Classifier : Counted {
 public:
  explicit Classifier(std::unique_ptr<ImageClassifier> classifier) : classifier_(std::move(classifier)) {}

  std::string info() const;
  unsigned classes() const { return classifier_->network().classes(); }
  unsigned input_channels() const { return classifier_->network().input_channels(); }
  unsigned usual_input_size() const { return classifier_->usual_input_size(); }

  val pixel_window(double bytes);
  val begin_picture(double width, double height, double channels, double size, double shorter_side, const val& mean,
                    const val& standard_deviation);
  val input_window(double values);
  val begin_input(double channels, double height, double width);

  val step();
  val take() { return float32_array(classifier_->take()); }
  void cancel() { classifier_->cancel(); }

 private:
  std::unique_ptr<ImageClassifier> classifier_;
  Window window_;
};

std::string Classifier::info() const { return write_json(describe(*classifier_)); }

val Classifier::pixel_window(double bytes) {
  const std::optional<uint64_t> count = whole_number(bytes);
  return count && *count <= kMaxSamples ? window_.view(static_cast<size_t>(*count)) : val::null();
}

val Classifier::begin_picture(double width, double height, double channels, double size, double shorter_side,
                              const val& mean, const val& standard_deviation) {
  const Status status = begin_scaled(*classifier_, window_.all(),
                                     {width, height, channels, size, shorter_side, mean, standard_deviation});
  window_.release();
  return outcome(status);
}

val Classifier::input_window(double values) {
  const std::optional<uint64_t> count = whole_number(values);
  return count && *count <= kMaxSamples ? window_.float_view(static_cast<size_t>(*count)) : val::null();
}

val Classifier::begin_input(double channels, double height, double width) {
  const Status status = begin_prepared(*classifier_, floats_in(window_.all()), channels, height, width);
  window_.release();
  return outcome(status);
}

val Classifier::step() {
  const Result<bool> done = classifier_->step();
  return done ? success(val(*done)) : failure(done.error());
}

class LoadingClassifier : public Intake<ClassifierLoader> {
 public:
  // `kind`: as in ClassifierLoadOptions.kind, or "" to infer it from the size of the file.
  LoadingClassifier(const std::string& format, const std::string& kind, double total)
      : Intake({.format = format, .total = total, .options = {.network_kind = network_kind_named(kind)}},
               read_network_model) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return success(val(std::make_shared<Classifier>(sink.take())));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(classifier) {
  using namespace emscripten;
  bind_intake();
  class_<LoadingClassifier, base<Feed>>("ClassifierLoader")
      .constructor<const std::string&, const std::string&, double>()
      .function("finish", &LoadingClassifier::finish);
  class_<Classifier>("Classifier")
      .smart_ptr<std::shared_ptr<Classifier>>("ClassifierPointer")
      .function("info", &Classifier::info)
      .function("classes", &Classifier::classes)
      .function("inputChannels", &Classifier::input_channels)
      .function("usualInputSize", &Classifier::usual_input_size)
      .function("pixelWindow", &Classifier::pixel_window)
      .function("beginPicture", &Classifier::begin_picture)
      .function("inputWindow", &Classifier::input_window)
      .function("beginInput", &Classifier::begin_input)
      .function("step", &Classifier::step)
      .function("take", &Classifier::take)
      .function("cancel", &Classifier::cancel);
}

}  // namespace quintet::js
