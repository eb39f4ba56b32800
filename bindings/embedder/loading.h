#pragma once
// Loads the files of a model chunk by chunk, for the classes of this module.

#include <emscripten/val.h>

#include <memory>
#include <string>

#include "bindings/outcome.h"
#include "bindings/window.h"
#include "formats/detect.h"
#include "runtime/embedding/embedder_loader.h"

namespace quintet::js {

// JavaScript calls its methods on the classes of bindings that derive from it.
class LoadingEncoder : Counted {
 public:
  explicit LoadingEncoder(const EmbedderOptions& options) : loader_(options) {}

  val begin_file(const std::string& path, double total) {
    return outcome(loader_.begin_file(path, whole_number(total)));
  }
  val window(uint32_t bytes) { return window_.view(bytes); }
  val feed(uint32_t bytes) { return outcome(loader_.feed(window_.bytes(bytes))); }
  val end_file() { return outcome(loader_.end_file()); }
  void choose_file(uint32_t file) { loader_.choose_file(file); }
  double headers_read() const { return static_cast<double>(loader_.headers_read()); }

 protected:
  Result<std::unique_ptr<TextEmbedder::Model>> finish_model() {
    window_.release();
    return loader_.finish_model();
  }

 private:
  EmbedderLoader loader_;
  Window window_;
};

}  // namespace quintet::js
