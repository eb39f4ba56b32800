#pragma once
// Loads the files of a model chunk by chunk, for the classes of a module.

#include <emscripten/val.h>

#include <string>
#include <utility>

#include "bindings/outcome.h"
#include "bindings/window.h"

namespace quintet::js {

// JavaScript calls its methods on the classes of bindings that derive from it, which must be bound too. Loader: a
// ModelFolderLoader.
template <class Loader>
class FolderLoading : Counted {
 public:
  template <class... Arguments>
  explicit FolderLoading(Arguments&&... arguments) : loader_(std::forward<Arguments>(arguments)...) {}

  val begin_file(const std::string& path, double total) {
    return outcome(loader_.begin_file(path, whole_number(total)));
  }
  val window(uint32_t bytes) { return window_.view(bytes); }
  val feed(uint32_t bytes) { return outcome(loader_.feed(window_.bytes(bytes))); }
  val end_file() { return outcome(loader_.end_file()); }
  void choose_file(uint32_t file) { loader_.choose_file(file); }
  double headers_read() const { return static_cast<double>(loader_.headers_read()); }

 protected:
  // For the last call.
  Loader& ended() {
    window_.release();
    return loader_;
  }

 private:
  Loader loader_;
  Window window_;
};

}  // namespace quintet::js
