// GGUF files.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/reading.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  quintet::fuzz::check_file(std::as_bytes(std::span(data, size)), quintet::Format::gguf);
  return 0;
}
