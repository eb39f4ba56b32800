#pragma once
// JPEG and PNG to RGB, by stb_image. Its code reads files of strangers: it runs in a WebAssembly
// instance of its own, which is thrown away after some pictures and shares no memory with models.

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

// Gray becomes RGB, alpha is dropped.
Decoded decode(std::span<const uint8_t> bytes);

}  // namespace quintet::image
