// Replacements for functions of the C library and of Embind, by the linker's --wrap, that are smaller or safer.

#ifndef __wasm64__
#include <emscripten/emmalloc.h>
#include <unistd.h>
#endif

#include <cstdarg>
#include <cstddef>
#include <cstdint>

// Embind names unbound types by their addresses, which it prints with sprintf("%p"). This is the only use of printf in
// the module, and printf is as large as a reader of a file format. This function replaces it.
extern "C" int __wrap_siprintf(char* out, const char* format, ...);

// Requires exactly this format, and room for 20 digits.
extern "C" int __wrap_siprintf(char* out, [[maybe_unused]] const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  auto address = reinterpret_cast<uintptr_t>(va_arg(arguments, void*));
  va_end(arguments);
  char* end = out;
  for (; address != 0; address /= 10) *end++ = static_cast<char>('0' + address % 10);  // the last digit first
  *end = '\0';
  return static_cast<int>(end - out);
}

#ifndef __wasm64__

// emmalloc searches for a free block by adding the requested size to the address of the block, without checking whether
// the sum exceeds 4 GB. It would then return a block that is too small. This replacement of aligned_alloc asks for more
// than the memory can still grow by only if the free blocks together are large enough.
extern "C" void* __real_aligned_alloc(size_t alignment, size_t bytes);
extern "C" void* __wrap_aligned_alloc(size_t alignment, size_t bytes);

extern "C" void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  const size_t left = SIZE_MAX - reinterpret_cast<uintptr_t>(sbrk(0));
  if (bytes > left && emmalloc_free_dynamic_memory() < bytes) return nullptr;
  return __real_aligned_alloc(alignment, bytes);
}

#endif
