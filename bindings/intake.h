#pragma once
// A reader driven by JavaScript: chunks come in through a window, an error stops it for good.

#include <emscripten/val.h>

#include <optional>
#include <string>

#include "architectures/model_files.h"
#include "base/byte_stream.h"
#include "bindings/outcome.h"
#include "bindings/window.h"
#include "formats/model_sink.h"

namespace quintet::js {

// `format`: a name of LoadOptions.format, or "" to look at the first bytes. `total`: length of the
// input, negative where it is not known. `reader`: read_model() or read_decoder_model().
class Intake : Counted {
 public:
  using Reader = Parse<void> (*)(ByteStream&, std::optional<Format>, ModelSink&, ReadOptions);
  Intake(const std::string& format, double total, ModelSink& sink, const ReadOptions& options,
         Reader reader = read_model);

  val window(uint32_t bytes) { return window_.view(bytes); }
  val feed(uint32_t bytes);
  double position() const { return static_cast<double>(stream_.position()); }

 protected:
  // No more bytes will come: whether the whole input was right.
  Status finish_reading();

 private:
  Status status();

  Window window_;
  ByteStream stream_;
  Parse<void> parse_;
  std::optional<Status> status_;  // once the parser is done
};

// Once in a module with such readers. A method is bound to the class that declares it, so that they inherit these.
void bind_intake();

}  // namespace quintet::js
