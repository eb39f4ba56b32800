#pragma once
// Decodes JPEG and PNG to RGB with stb_image. Since its input is untrusted, it runs in a separate WebAssembly instance
// that shares no memory with models and is discarded after use.

#include <cstdlib>
#include <memory>

#include "bindings/image/image_file.h"

namespace quintet::image {

struct Free {
  void operator()(uint8_t* pixels) const { std::free(pixels); }
};

struct Decoded {
  Fault fault = Fault::none;
  uint32_t width = 0;
  uint32_t height = 0;
  std::unique_ptr<uint8_t, Free> pixels;  // [height][width][3]
};

// Gray becomes RGB, alpha is dropped. A JPEG picture is turned according to its Exif data.
Decoded decode(std::span<const uint8_t> bytes);

}  // namespace quintet::image
