// Inspector and Validator: what a file is, as JSON; the first reads headers only, the second every
// byte.

#include <emscripten/bind.h>

#include "bindings/intake.h"
#include "runtime/inspect/describe.h"
#include "runtime/inspect/validate.h"

namespace quintet::js {
namespace {

// The sink is a member, and so initialized, before the intake that refers to it.
struct InspectorSink {
  DescriptionSink sink;
};
struct ValidatorSink {
  ValidatingSink sink;
};

class Inspector : private InspectorSink, public Intake {
 public:
  Inspector(const std::string& format, double total, bool seekable)
      : Intake(format, total, sink, {.seekable = seekable, .verify_checksums = false}) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return success(val(write_json(describe(sink.description()))));
  }
};

class Validator : private ValidatorSink, public Intake {
 public:
  Validator(const std::string& format, double total) : Intake(format, total, sink, {}) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return success(val(write_json(sink.report())));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(inspector) {
  using namespace emscripten;
  bind_intake();
  class_<Inspector, base<Intake>>("Inspector")
      .constructor<const std::string&, double, bool>()
      .function("finish", &Inspector::finish);
  class_<Validator, base<Intake>>("Validator")
      .constructor<const std::string&, double>()
      .function("finish", &Validator::finish);
}

}  // namespace quintet::js
