// Functions of the C library and of Embind that the linker's --wrap replaces with smaller or safer ones.

#ifndef __wasm64__
#include <emscripten/emmalloc.h>
#include <unistd.h>
#endif

#include <charconv>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

// embind tells types that were never bound by their addresses, which it prints with sprintf("%p"): the only use of
// printf in the module, which is as large as a reader of a file format. The linker's --wrap puts this in its place.
extern "C" int __wrap_siprintf(char* out, const char* format, ...);

// Requires that format, and room for 20 digits.
extern "C" int __wrap_siprintf(char* out, [[maybe_unused]] const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const auto address = reinterpret_cast<uintptr_t>(va_arg(arguments, void*));
  va_end(arguments);
  char* const end = std::to_chars(out, out + 20, address).ptr;
  *end = '\0';
  return static_cast<int>(end - out);
}

#ifndef __wasm64__

// emmalloc looks for a free block by adding the size that is wanted to the block's address, without asking whether that
// goes beyond 4 GB: it would then take a small block for one that is large enough. What the memory cannot grow by is
// asked for only where the free blocks together hold as much. The linker's --wrap puts this in the place of
// aligned_alloc.
extern "C" void* __real_aligned_alloc(size_t alignment, size_t bytes);
extern "C" void* __wrap_aligned_alloc(size_t alignment, size_t bytes);

extern "C" void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  const size_t left = SIZE_MAX - reinterpret_cast<uintptr_t>(sbrk(0));
  if (bytes > left && emmalloc_free_dynamic_memory() < bytes) return nullptr;
  return __real_aligned_alloc(alignment, bytes);
}

#endif
