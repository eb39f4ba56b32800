#include "bindings/intake.h"

#include <emscripten/bind.h>

#include "bindings/outcome.h"

namespace quintet::js {

Feed::Feed(const Source& source, ModelSink& sink, Reader& reader)
    : file_(reader, format_named(source.format), whole_number(source.total), sink, source.options) {}

val Feed::feed(uint32_t bytes) { return outcome(file_.feed(window_.bytes(bytes))); }

Status Feed::finish_reading() {
  window_.release();
  return file_.end();
}

void bind_intake() {
  emscripten::class_<Feed>("Feed")
      .function("window", &Feed::window)
      .function("feed", &Feed::feed)
      .function("position", &Feed::position);
}

}  // namespace quintet::js
