// JPEG and PNG files.

#include <cstdlib>

#include "bindings/image/decode.h"
#include "image/pixels.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using quintet::image::Fault;
  const auto decoded = quintet::image::decode({data, size});
  if ((decoded.pixels != nullptr) != (decoded.fault == Fault::none)) std::abort();
  if (decoded.fault != Fault::none) return 0;
  // All of the pixels are there.
  const quintet::Pixels pixels{{decoded.pixels.get(), size_t{decoded.width} * decoded.height * 3}, decoded.width, decoded.height, 3};
  if (!quintet::check_pixels(pixels)) std::abort();
  uint32_t sum = 0;
  for (const uint8_t sample : pixels.samples) sum += sample;
  return sum == UINT32_MAX ? -1 : 0;
}
