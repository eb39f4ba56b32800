#include "bindings/intake.h"

#include <emscripten/bind.h>

#include "bindings/outcome.h"

namespace quintet::js {

Feed::Feed(const Source& source, ModelSink& sink, Reader reader)
    : stream_(whole_number(source.total), source.options.seekable),
      parse_(reader(stream_, format_named(source.format), sink, source.options)) {
  parse_.start();
}

val Feed::feed(uint32_t bytes) {
  if (!parse_.done()) stream_.feed(window_.bytes(bytes));
  return outcome(status());
}

Status Feed::finish_reading() {
  window_.release();
  if (!parse_.done()) stream_.end();
  return status();
}

// The result of the parser, or no error while it still needs bytes.
Status Feed::status() {
  if (!parse_.done()) return {};
  if (!status_) status_ = parse_.take();
  return *status_;
}

void bind_intake() {
  emscripten::class_<Feed>("Feed")
      .function("window", &Feed::window)
      .function("feed", &Feed::feed)
      .function("position", &Feed::position);
}

}  // namespace quintet::js
