// What the decoder's WebAssembly module exports. One picture at a time: its results stand until the
// next.

#include "bindings/image/decode.h"

namespace {

quintet::image::Decoded decoded;

}  // namespace

extern "C" {

// Room for a file's bytes; null where there is none.
uint8_t* allocate(size_t bytes) { return static_cast<uint8_t*>(std::malloc(bytes)); }

// Takes the bytes, which allocate() gave, and returns a Fault.
int decode(uint8_t* bytes, size_t length) {
  decoded = {};
  decoded = quintet::image::decode({bytes, length});
  std::free(bytes);
  return static_cast<int>(decoded.fault);
}

const uint8_t* pixels() { return decoded.pixels.get(); }
uint32_t width() { return decoded.width; }
uint32_t height() { return decoded.height; }

}  // extern "C"
