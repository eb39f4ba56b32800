#pragma once
// How much memory a module can still give.

#ifdef __wasm64__
#include <emscripten/heap.h>

#include "base/aligned_buffer.h"
#else
#include <emscripten/emmalloc.h>
#endif

#include <cstdint>

namespace quintet::js {

inline uint64_t available_memory() {
#ifdef __wasm64__
  // All but what models and sessions hold; what else there is, is little.
  return emscripten_get_heap_max() - aligned_bytes;
#else
  // What is free between allocations, and what the memory may still grow by.
  return uint64_t{emmalloc_free_dynamic_memory()} + emmalloc_unclaimed_heap_memory();
#endif
}

}  // namespace quintet::js
