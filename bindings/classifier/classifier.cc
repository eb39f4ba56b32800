// ClassifierLoader and Classifier: load the files of a network chunk by chunk, and classify pictures or preprocessed
// inputs step by step.

#include <emscripten/bind.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "bindings/folder_loading.h"
#include "bindings/outcome.h"
#include "bindings/window.h"
#include "formats/detect.h"
#include "runtime/classification/classifier_loader.h"
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

// Red, green, blue; nothing if there are none. Numbers beyond the range of a float become infinite, which is rejected
// like any infinity.
std::optional<std::array<float, 3>> colors_of(const val& numbers) {
  std::array<float, 3> colors;
  if (numbers["length"].as<double>() != double{colors.size()}) return std::nullopt;
  for (size_t i = 0; i < colors.size(); ++i) colors[i] = numbers[i].as<float>();
  return colors;
}

Result<Pixels> picture_of(double width, double height, double channels, std::span<const std::byte> samples) {
  Pixels picture;
  picture.samples = {reinterpret_cast<const uint8_t*>(samples.data()), samples.size()};
  QUINTET_TRY(picture.width, short_size_of("width", width));
  QUINTET_TRY(picture.height, short_size_of("height", height));
  QUINTET_TRY(picture.channels, short_size_of("number of channels", channels));
  return picture;
}

Status begin_scaled(ImageClassifier& classifier, const Result<Pixels>& picture, vision::Output output) {
  if (!picture) return fail(picture.error());
  return classifier.begin(*picture, output);
}

Result<PreparedImage> prepared(const ImageClassifier& classifier, const Result<Pixels>& picture) {
  if (!picture) return fail(picture.error());
  return classifier.prepare(*picture);
}

vision::Output output_of(bool features) { return features ? vision::Output::features : vision::Output::logits; }

std::span<const float> floats_in(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

Status begin_prepared(ImageClassifier& classifier, std::span<const float> input, double channels, double height,
                      double width) {
  QUINTET_TRY(const uint64_t planes, size_of("number of channels", channels));
  QUINTET_TRY(const uint64_t rows, size_of("height", height));
  QUINTET_TRY(const uint64_t columns, size_of("width", width));
  return classifier.begin(input, planes, rows, columns, vision::Output::logits);
}

class Classifier : Counted {
 public:
  explicit Classifier(std::unique_ptr<ImageClassifier> classifier) : classifier_(std::move(classifier)) {}

  std::string info() const { return write_json(describe(*classifier_)); }
  // { classes, labels, inputSize }: labels are empty if the files have none.
  std::string usage() const;
  // 0 and empty lists leave what the files say.
  val prepare_as(double size, double shorter_side, const val& mean, const val& standard_deviation);

  val pixel_window(double bytes);
  val begin_picture(double width, double height, double channels, bool features);
  // { data, height, width }
  val prepare(double width, double height, double channels);
  val input_window(double values);
  val begin_input(double channels, double height, double width);

  val step();
  val take() { return float32_array(classifier_->take()); }
  void cancel() { classifier_->cancel(); }

 private:
  std::unique_ptr<ImageClassifier> classifier_;
  Window window_;
};

std::string Classifier::usage() const {
  const vision::ImageNetwork& network = classifier_->network();
  const std::optional<ImageSize> size = classifier_->preparation().fixed_size();
  Json labels = Json::array();
  for (const std::string& label : classifier_->labels()) labels.push_back(label);
  Json json = Json::object();
  json.append("classes", unsigned{network.classes()});
  json.append("labels", std::move(labels));
  json.append("inputSize", unsigned{size ? size->height : network.usual_input_size()});
  return write_json(json);
}

val Classifier::prepare_as(double size, double shorter_side, const val& mean, const val& standard_deviation) {
  PreparationOptions options = {.mean = colors_of(mean), .standard_deviation = colors_of(standard_deviation)};
  if (size != 0) {
    const Result<uint32_t> side = short_size_of("size", size);
    if (!side) return failure(side.error());
    options.size = *side;
  }
  if (shorter_side != 0) {
    const Result<uint32_t> side = short_size_of("shorter side", shorter_side);
    if (!side) return failure(side.error());
    options.shorter_side = *side;
  }
  return outcome(classifier_->prepare_as(options));
}

val Classifier::pixel_window(double bytes) {
  const std::optional<uint64_t> count = whole_number(bytes);
  return count && *count <= kMaxSamples ? window_.view(static_cast<size_t>(*count)) : val::null();
}

val Classifier::begin_picture(double width, double height, double channels, bool features) {
  const Status status =
      begin_scaled(*classifier_, picture_of(width, height, channels, window_.all()), output_of(features));
  window_.release();
  return outcome(status);
}

val Classifier::prepare(double width, double height, double channels) {
  const Result<Pixels> picture = picture_of(width, height, channels, window_.all());
  const Result<PreparedImage> image = prepared(*classifier_, picture);
  window_.release();
  if (!image) return failure(image.error());
  val value = val::object();
  value.set("data", float32_array(image->data.span()));
  value.set("height", image->height);
  value.set("width", image->width);
  return success(value);
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

class LoadingClassifier : public FolderLoading<ClassifierLoader> {
 public:
  // `kind`: as in ClassifierLoadOptions.kind, or "" to infer it from the size of the file.
  LoadingClassifier(const std::string& format, const std::string& kind)
      : FolderLoading(format_named(format), network_kind_named(kind)) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    auto classifier = ended().finish();
    if (!classifier) return failure(classifier.error());
    return success(val(std::make_shared<Classifier>(*std::move(classifier))));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(classifier) {
  using namespace emscripten;
  using Loading = FolderLoading<ClassifierLoader>;
  class_<Loading>("FolderLoader")
      .function("beginFile", &Loading::begin_file)
      .function("window", &Loading::window)
      .function("feed", &Loading::feed)
      .function("endFile", &Loading::end_file);
  class_<LoadingClassifier, base<Loading>>("ClassifierLoader")
      .constructor<const std::string&, const std::string&>()
      .function("finish", &LoadingClassifier::finish);
  class_<Classifier>("Classifier")
      .smart_ptr<std::shared_ptr<Classifier>>("ClassifierPointer")
      .function("info", &Classifier::info)
      .function("usage", &Classifier::usage)
      .function("prepareAs", &Classifier::prepare_as)
      .function("pixelWindow", &Classifier::pixel_window)
      .function("beginPicture", &Classifier::begin_picture)
      .function("prepare", &Classifier::prepare)
      .function("inputWindow", &Classifier::input_window)
      .function("beginInput", &Classifier::begin_input)
      .function("step", &Classifier::step)
      .function("take", &Classifier::take)
      .function("cancel", &Classifier::cancel);
}

}  // namespace quintet::js
