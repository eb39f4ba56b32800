// .weights files, the container and the flat list. Bytes that would pass except for the header's checksum get the right
// one, so that the checks after it are reached.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "formats/embd/layout.h"
#include "tests/fuzz/reading.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quintet;
  const Bytes input = std::as_bytes(std::span(data, size));
  fuzz::check_file(input, Format::embd);
  if (size < embd::kHeaderBytes) return 0;
  std::vector<std::byte> repaired(input.begin(), input.end());
  const uint32_t checksum = crc32(input.first(embd::header_at::kHeaderChecksum));
  std::memcpy(repaired.data() + embd::header_at::kHeaderChecksum, &checksum, sizeof(checksum));
  fuzz::check_file(repaired, Format::embd);
  return 0;
}
