// emmalloc looks for a free block by adding the size that is wanted to the block's address, without asking whether that
// goes beyond 4 GB: it would then take a small block for one that is large enough. What the memory cannot grow by is
// asked for only where the free blocks together hold as much. The linker's --wrap puts this in the place of
// aligned_alloc.

#include <emscripten/emmalloc.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

extern "C" void* __real_aligned_alloc(size_t alignment, size_t bytes);
extern "C" void* __wrap_aligned_alloc(size_t alignment, size_t bytes);

extern "C" void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  const size_t left = SIZE_MAX - reinterpret_cast<uintptr_t>(sbrk(0));
  if (bytes > left && emmalloc_free_dynamic_memory() < bytes) return nullptr;
  return __real_aligned_alloc(alignment, bytes);
}
