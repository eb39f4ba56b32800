// embind tells types that were never bound by their addresses, which it prints with sprintf("%p"): the only use of
// printf in the module, which is as large as a reader of a file format. The linker's --wrap puts this in its place.

#include <charconv>
#include <cstdarg>
#include <cstdint>

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
