// Preprocesses a picture for an image network.

#include <emscripten/bind.h>

#include <cstdint>
#include <vector>

#include "bindings/outcome.h"
#include "image/prepare.h"

namespace quintet::js {
namespace {

// `pixels` is a Uint8Array of width x height x channels samples.
val prepare(const val& pixels, uint32_t width, uint32_t height, uint32_t channels, uint32_t size) {
  const auto samples = emscripten::convertJSArrayToNumberVector<uint8_t>(pixels);
  const Pixels picture{.samples = samples, .width = width, .height = height, .channels = channels};
  const auto image = prepare_image(picture, Preparation::for_size(size));
  return image ? success(float32_array(image->data.span())) : failure(image.error());
}

}  // namespace

EMSCRIPTEN_BINDINGS(prepare_image) { emscripten::function("prepareImage", &prepare); }

}  // namespace quintet::js
