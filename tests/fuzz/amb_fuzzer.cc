// AMB files. What is read is written and read again: it must be the same model.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/reading.h"
#include "tests/fuzz/rewriting.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quintet;
  const Bytes input = std::as_bytes(std::span(data, size));
  fuzz::check_file(input, Format::amb);
  fuzz::check_rewriting(input, Format::amb);
  return 0;
}
