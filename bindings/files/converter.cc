// Converter: reads the files of a model and returns the converted file while the required ranges are fed.

#include <emscripten/bind.h>

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "bindings/files/conversion_input.h"
#include "bindings/outcome.h"
#include "runtime/convert/converter.h"

namespace quintet::js {
namespace {

class ConverterHandle : public ConversionInput<Converter> {
 public:
  using ConversionInput::ConversionInput;

  // Float32Arrays; `architecture` is that of a GGUF adapter, or empty.
  val merge(const std::string& matrix, const std::string& architecture, float scale, const val& a, const val& b) {
    return step([&](Converter& converter) {
      return converter.merge({.matrix = matrix,
                              .architecture = architecture,
                              .scale = scale,
                              .a = emscripten::convertJSArrayToNumberVector<float>(a),
                              .b = emscripten::convertJSArrayToNumberVector<float>(b)});
    });
  }
  val plan() {
    return step([](Converter& converter) { return converter.plan(); });
  }
  val next_range() { return range_of(worker() ? worker()->next_range() : std::nullopt); }
  bool wants_calibration() { return worker() && worker()->wants_calibration(); }
  unsigned input_size() { return worker() ? worker()->input_size() : 0; }

  val calibrate(const val& image, unsigned height, unsigned width) {
    const std::vector<float> values = emscripten::convertJSArrayToNumberVector<float>(image);
    return step([&](Converter& converter) { return converter.calibrate(values, height, width); });
  }
  val finish() {
    return step([](Converter& converter) { return converter.finish(); });
  }

  val take() {
    const std::vector<std::byte> bytes = worker() ? worker()->take() : std::vector<std::byte>();
    return val::global("Uint8Array")
        .new_(emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data())));
  }

  std::string progress() {
    Json json = Json::object();
    if (worker()) {
      const ConvertProgress& progress = worker()->progress();
      json.append("tensor", progress.tensor);
      json.append("done", uint64_t{progress.done});
      json.append("total", uint64_t{progress.total});
    }
    return write_json(json);
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(converter) {
  using namespace emscripten;
  bind_conversion_input<Converter>("ConverterInput");
  class_<ConverterHandle, base<ConversionInput<Converter>>>("Converter")
      .constructor<const std::string&>()
      .function("merge", &ConverterHandle::merge)
      .function("plan", &ConverterHandle::plan)
      .function("nextRange", &ConverterHandle::next_range)
      .function("wantsCalibration", &ConverterHandle::wants_calibration)
      .function("inputSize", &ConverterHandle::input_size)
      .function("calibrate", &ConverterHandle::calibrate)
      .function("take", &ConverterHandle::take)
      .function("progress", &ConverterHandle::progress)
      .function("finish", &ConverterHandle::finish);
}

}  // namespace quintet::js
