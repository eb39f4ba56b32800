// ClassifierLoader and Classifier: load the files of a network chunk by chunk, and classify pictures or preprocessed
// inputs step by step.

#include <emscripten/bind.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "bindings/folder_loading.h"
#include "bindings/outcome.h"
#include "bindings/picture_calls.h"
#include "formats/detect.h"
#include "runtime/classification/classifier_loader.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

// Red, green, blue; nothing if there are none. Numbers beyond the range of a float become infinite, which is rejected
// like any infinity.
std::optional<std::array<float, 3>> colors_of(const val& numbers) {
  std::array<float, 3> colors;
  if (numbers["length"].as<double>() != double{colors.size()}) return std::nullopt;
  for (size_t i = 0; i < colors.size(); ++i) colors[i] = numbers[i].as<float>();
  return colors;
}

Result<PreparationOptions> options_of(double size, double shorter_side, const val& mean,
                                      const val& standard_deviation) {
  PreparationOptions options = {.mean = colors_of(mean), .standard_deviation = colors_of(standard_deviation)};
  if (size != 0) {
    QUINTET_TRY(options.size, short_size_of("size", size));
  }
  if (shorter_side != 0) {
    QUINTET_TRY(options.shorter_side, short_size_of("shorter side", shorter_side));
  }
  return options;
}

class Classifier : public PictureCalls<ImageClassifier> {
 public:
  using PictureCalls::PictureCalls;

  std::string info() const { return write_json(describe(model())); }
  // { classes, labels, inputSize }: labels are empty if the files have none.
  std::string usage() const;

  // 0 and empty lists leave the settings of the files.
  val prepare_as(double size, double shorter_side, const val& mean, const val& standard_deviation) {
    const Result<PreparationOptions> options = options_of(size, shorter_side, mean, standard_deviation);
    return options ? outcome(model().prepare_as(*options)) : failure(options.error());
  }

  val begin_picture(double width, double height, double channels, bool features) {
    return begin_pixels(width, height, channels, [=](ImageClassifier& classifier, const Pixels& picture) {
      return classifier.begin(picture, features ? vision::Output::features : vision::Output::logits);
    });
  }
  val begin_input(double channels, double height, double width) {
    return begin_values(channels, height, width, [](ImageClassifier& classifier, const auto&... input) {
      return classifier.begin(input..., vision::Output::logits);
    });
  }
};

std::string Classifier::usage() const {
  const vision::ImageNetwork& network = model().network();
  const std::optional<ImageSize> size = model().preparation().fixed_size();
  Json labels = Json::array();
  for (const std::string& label : model().labels()) labels.push_back(label);
  Json json = Json::object();
  json.append("classes", unsigned{network.classes()});
  json.append("labels", std::move(labels));
  json.append("inputSize", unsigned{size ? size->height : network.usual_input_size()});
  return write_json(json);
}

class LoadingClassifier : public FolderLoading<ClassifierLoader> {
 public:
  // `kind`: as in ClassifierLoadOptions.kind, or "" to infer it from the size of the file.
  LoadingClassifier(const std::string& format, const std::string& kind, bool to_int8)
      : FolderLoading(
            ClassifierOptions{.format = format_named(format), .kind = network_kind_named(kind), .to_int8 = to_int8}) {}

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
      .constructor<const std::string&, const std::string&, bool>()
      .function("finish", &LoadingClassifier::finish);
  bind_picture_calls<ImageClassifier>();
  class_<Classifier, base<PictureCalls<ImageClassifier>>>("Classifier")
      .smart_ptr<std::shared_ptr<Classifier>>("ClassifierPointer")
      .function("info", &Classifier::info)
      .function("usage", &Classifier::usage)
      .function("prepareAs", &Classifier::prepare_as)
      .function("beginPicture", &Classifier::begin_picture)
      .function("beginInput", &Classifier::begin_input);
}

}  // namespace quintet::js
