// Inspector, Validator and TensorReader: describe a file as JSON, from its headers only or after reading every byte,
// and read its tensors.

#include <emscripten/bind.h>

#include "bindings/intake.h"
#include "formats/description_sink.h"
#include "runtime/inspect/describe.h"
#include "runtime/inspect/read_tensor.h"
#include "runtime/inspect/validate.h"

namespace quintet::js {
namespace {

class Inspector : public Intake<DescriptionSink> {
 public:
  Inspector(const std::string& format, double total, bool seekable, const std::string& options)
      : Intake({.format = format, .total = total, .options = {.seekable = seekable, .verify_checksums = false}},
               read_model),
        load_(read_generator_options(options)) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    if (!load_) return failure(load_.error());
    return success(val(write_json(describe(sink.description(), load_->options))));
  }

 private:
  Result<GeneratorRequest> load_;
};

class Validator : public Intake<ValidatingSink> {
 public:
  Validator(const std::string& format, double total) : Intake({.format = format, .total = total}, read_model) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return success(val(write_json(sink.report())));
  }
};

// One tensor of a file as a Float32Array.
class TensorReader : public Intake<TensorReadingSink> {
 public:
  TensorReader(const std::string& format, double total, const std::string& name, bool seekable)
      : Intake({.format = format, .total = total, .options = {.seekable = seekable, .verify_checksums = !seekable}},
               read_model, name) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    const TensorValues tensor = sink.take();
    val shape = val::array();
    for (const uint64_t dimension : tensor.shape) shape.call<void>("push", static_cast<double>(dimension));
    val out = val::object();
    out.set("dtype", std::string(tensor.dtype));
    out.set("shape", shape);
    out.set("data", float32_array(tensor.values.span()));
    return success(out);
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(inspector) {
  using namespace emscripten;
  bind_intake();
  class_<Inspector, base<Feed>>("Inspector")
      .constructor<const std::string&, double, bool, const std::string&>()
      .function("finish", &Inspector::finish);
  class_<Validator, base<Feed>>("Validator")
      .constructor<const std::string&, double>()
      .function("finish", &Validator::finish);
  class_<TensorReader, base<Feed>>("TensorReader")
      .constructor<const std::string&, double, const std::string&, bool>()
      .function("finish", &TensorReader::finish);
}

}  // namespace quintet::js
