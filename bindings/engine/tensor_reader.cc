// TensorReader: one tensor of a file as a Float32Array.

#include <emscripten/bind.h>

#include "bindings/intake.h"
#include "runtime/inspect/read_tensor.h"

namespace quintet::js {
namespace {

// The sink is a member, and so initialized, before the intake that refers to it.
struct ReaderSink {
  explicit ReaderSink(const std::string& name) : sink(name) {}
  TensorReadingSink sink;
};

class TensorReader : private ReaderSink, public Intake {
 public:
  TensorReader(const std::string& format, double total, const std::string& name, bool seekable)
      : ReaderSink(name), Intake(format, total, sink, {.seekable = seekable, .verify_checksums = !seekable}) {}

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

EMSCRIPTEN_BINDINGS(tensor_reader) {
  using namespace emscripten;
  class_<TensorReader, base<Intake>>("TensorReader")
      .constructor<const std::string&, double, const std::string&, bool>()
      .function("finish", &TensorReader::finish);
}

}  // namespace quintet::js
