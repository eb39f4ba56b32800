// Any bytes as JSON. What must hold: an error has a place within the text, and what is read survives being written.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quintet;
  const auto parsed = parse_json({reinterpret_cast<const char*>(data), size});
  if (!parsed) {
    if (!parsed.error().offset || *parsed.error().offset > size) std::abort();
    return 0;
  }
  const std::string written = write_json(*parsed);
  const auto again = parse_json(written);
  if (!again || write_json(*again) != written) std::abort();
  return 0;
}
