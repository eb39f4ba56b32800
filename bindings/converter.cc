// Converter: a model in, file by file and chunk by chunk; the converted file out while it goes on.

#include <emscripten/bind.h>

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "bindings/outcome.h"
#include "bindings/window.h"
#include "runtime/convert/converter.h"

namespace quintet::js {
namespace {

class ConverterHandle : Counted {
 public:
  // Options that are wrong are answered with the first file.
  explicit ConverterHandle(const std::string& options) {
    if (auto read = read_convert_options(options)) {
      converter_.emplace(std::move(*read));
    } else {
      refused_ = std::move(read).error();
    }
  }

  val begin_file(const std::string& name, double total) {
    if (!converter_) return failure(refused_);
    const auto known = total < 0 ? std::nullopt : std::optional(static_cast<uint64_t>(total));
    return outcome(converter_->begin_file(name, known));
  }
  val window(size_t bytes) { return window_.view(bytes); }
  val feed(size_t bytes) { return converter_ ? outcome(converter_->feed(window_.bytes(bytes))) : failure(refused_); }
  val end_file() { return converter_ ? outcome(converter_->end_file()) : failure(refused_); }
  val finish() { return converter_ ? outcome(converter_->finish()) : failure(refused_); }

  val take() {
    const std::vector<std::byte> bytes = converter_ ? converter_->take() : std::vector<std::byte>();
    return val::global("Uint8Array")
        .new_(emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data())));
  }

  std::string progress() const {
    Json json = Json::object();
    if (converter_) {
      const ConvertProgress& progress = converter_->progress();
      json.append("tensor", progress.tensor);
      json.append("done", uint64_t{progress.done});
      json.append("total", uint64_t{progress.total});
    }
    return write_json(json);
  }

 private:
  std::optional<Converter> converter_;
  Error refused_;
  Window window_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(converter) {
  using namespace emscripten;
  class_<ConverterHandle>("Converter")
      .constructor<const std::string&>()
      .function("beginFile", &ConverterHandle::begin_file)
      .function("window", &ConverterHandle::window)
      .function("feed", &ConverterHandle::feed)
      .function("endFile", &ConverterHandle::end_file)
      .function("take", &ConverterHandle::take)
      .function("progress", &ConverterHandle::progress)
      .function("finish", &ConverterHandle::finish);
}

}  // namespace quintet::js
