// Properties of the whole module: its memory and its live objects.

#include <emscripten/bind.h>
#include <emscripten/heap.h>

#include "bindings/outcome.h"

namespace quintet::js {
namespace {

double heap_bytes() { return static_cast<double>(emscripten_get_heap_size()); }

}  // namespace

EMSCRIPTEN_BINDINGS(module) {
  using emscripten::function;
  function("heapBytes", &heap_bytes);
  function("liveObjects", &live_objects);
}

}  // namespace quintet::js
