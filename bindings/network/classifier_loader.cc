// ClassifierLoader: a tinyRuntime file in, chunk by chunk, and the classifier out.

#include <emscripten/bind.h>

#include <memory>
#include <string>

#include "bindings/intake.h"
#include "bindings/network/classifier.h"
#include "runtime/classification/image_classifier.h"

namespace quintet::js {
namespace {

// The sink is a member, and so initialized, before the intake that refers to it.
struct ClassifierSink {
  ClassifierLoader loader;
};

class LoadingClassifier : private ClassifierSink, public Intake {
 public:
  // `kind`: a name of LoadOptions.kind, or "" where the file's size tells it.
  LoadingClassifier(const std::string& format, const std::string& kind, double total)
      : Intake(format, total, loader, {.network_kind = network_kind_named(kind)}, read_network_model) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return success(val(std::make_shared<Classifier>(loader.take())));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(classifier_loader) {
  using namespace emscripten;
  bind_intake();
  class_<LoadingClassifier, base<Intake>>("ClassifierLoader")
      .constructor<const std::string&, const std::string&, double>()
      .function("finish", &LoadingClassifier::finish);
}

}  // namespace quintet::js
