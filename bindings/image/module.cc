// The exports of the decoder's WebAssembly module. It decodes one picture at a time; the results are valid until the
// next one.

#include "bindings/image/decode.h"

namespace {

quintet::image::Decoded decoded;

}  // namespace

extern "C" {

// Allocates memory for the bytes of a file; null if there is none.
uint8_t* allocate(size_t bytes) { return static_cast<uint8_t*>(std::malloc(bytes)); }

// Decodes the bytes in memory from allocate(). Returns a Fault.
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
