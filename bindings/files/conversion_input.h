#pragma once
// The common part of Converter and Verifier: options, and files that are fed through a buffer.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <optional>
#include <string>

#include "bindings/outcome.h"
#include "bindings/window.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/source_model.h"
#include "runtime/convert/verifier.h"

namespace quintet::js {

inline val range_of(const std::optional<Range>& range) {
  if (!range) return val::null();
  val out = val::object();
  out.set("file", range->file == Verifier::kOutput ? -1.0 : static_cast<double>(range->file));
  out.set("offset", static_cast<double>(range->offset));
  out.set("bytes", static_cast<double>(range->bytes));
  return out;
}

template <class Worker>
class ConversionInput : Counted {
 public:
  // Invalid options are reported by the first call that can fail.
  explicit ConversionInput(const std::string& options) {
    if (auto read = read_convert_options(options)) {
      worker_.emplace(std::move(*read));
    } else {
      refused_ = std::move(read).error();
    }
  }

  val begin_file(const std::string& name, double total, bool seekable) {
    return step([&](Worker& worker) { return worker.begin_file(name, whole_number(total), seekable); });
  }
  val window(size_t bytes) { return window_.view(bytes); }
  val feed(size_t bytes) {
    return step([&](Worker& worker) { return worker.feed(window_.bytes(bytes)); });
  }
  double position() const { return worker_ ? static_cast<double>(worker_->position()) : 0; }
  val end_file() {
    if (!worker_) return failure(refused_);
    const Result<bool> again = worker_->end_file();
    return again ? success(val(*again)) : failure(again.error());
  }

 protected:
  template <class Call>
  val step(const Call& call) {
    return worker_ ? outcome(call(*worker_)) : failure(refused_);
  }
  // Null if the options were invalid.
  Worker* worker() { return worker_ ? &*worker_ : nullptr; }
  const Error& refused() const { return refused_; }

 private:
  std::optional<Worker> worker_;
  Error refused_;
  Window window_;
};

// Methods are registered with the class that declares them, because their pointer types name it.
template <class Worker>
void bind_conversion_input(const char* name) {
  using Input = ConversionInput<Worker>;
  emscripten::class_<Input>(name)
      .function("beginFile", &Input::begin_file)
      .function("window", &Input::window)
      .function("feed", &Input::feed)
      .function("position", &Input::position)
      .function("endFile", &Input::end_file);
}

}  // namespace quintet::js
