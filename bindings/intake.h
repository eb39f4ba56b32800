#pragma once
// Feeds a file to a reader: chunks arrive through a buffer, and an error stops the reader for good.

#include <emscripten/val.h>

#include <string_view>
#include <utility>

#include "bindings/outcome.h"
#include "bindings/window.h"
#include "formats/model_files.h"
#include "formats/model_sink.h"
#include "runtime/model_folder/model_file.h"

namespace quintet::js {

struct Source {
  std::string_view format;  // a ModelFormat, or "" to detect it from the first bytes
  double total;             // size of the input, negative if unknown
  ReadOptions options = {};
};

// The reader and its input.
class Feed : Counted {
 public:
  using Reader = ModelFile::Reader;
  Feed(const Source& source, ModelSink& sink, Reader& reader);

  val window(uint32_t bytes) { return window_.view(bytes); }
  val feed(uint32_t bytes);
  double position() const { return static_cast<double>(file_.position()); }

 protected:
  // Ends the input. Returns whether the whole input was valid.
  Status finish_reading();

 private:
  Window window_;
  ModelFile file_;
};

// A feed and the sink that it fills. The sink is a base class, so that it is constructed before the feed that refers to
// it.
template <class Sink>
struct SinkOfFeed {
  template <class... Arguments>
  explicit SinkOfFeed(Arguments&&... arguments) : sink(std::forward<Arguments>(arguments)...) {}

  Sink sink;
};

template <class Sink>
class Intake : private SinkOfFeed<Sink>, public Feed {
 public:
  // `arguments` are passed to the sink.
  template <class... Arguments>
  explicit Intake(const Source& source, Reader& reader, Arguments&&... arguments)
      : SinkOfFeed<Sink>(std::forward<Arguments>(arguments)...), Feed(source, this->sink, reader) {}

 protected:
  using SinkOfFeed<Sink>::sink;
};

// Call once in a module with such readers. A method is bound to the class that declares it, so the readers inherit
// these.
void bind_intake();

}  // namespace quintet::js
