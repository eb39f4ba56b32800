#include "bindings/intake.h"

#include <emscripten/bind.h>

#include "bindings/whole_number.h"

namespace quintet::js {

Intake::Intake(const std::string& format, double total, ModelSink& sink, const ReadOptions& options, Reader reader)
    : stream_(whole_number(total), options.seekable), parse_(reader(stream_, format_named(format), sink, options)) {
  parse_.start();
}

val Intake::feed(uint32_t bytes) {
  if (!parse_.done()) stream_.feed(window_.bytes(bytes));
  return outcome(status());
}

Status Intake::finish_reading() {
  window_.release();
  if (!parse_.done()) stream_.end();
  return status();
}

// The parser's verdict, or no error while it still wants bytes.
Status Intake::status() {
  if (!parse_.done()) return {};
  if (!status_) status_ = parse_.take();
  return *status_;
}

void bind_intake() {
  emscripten::class_<Intake>("Intake")
      .function("window", &Intake::window)
      .function("feed", &Intake::feed)
      .function("position", &Intake::position);
}

}  // namespace quintet::js
