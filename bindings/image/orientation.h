#pragma once
// Cameras store pictures in the orientation of the sensor; Exif states how to turn them (Exif 2.32, 4.6.4,
// "Orientation"; JEITA CP-3451E). Browsers turn them too.

#include <cstdint>
#include <span>

#include "bindings/image/decode.h"

namespace quintet::image {

// The places of a stored picture's first row and column when it is upright, by Exif's numbers.
enum class Orientation : uint8_t {
  upright = 1,
  mirrored = 2,
  upside_down = 3,
  flipped = 4,
  transposed = 5,
  turned_left = 6,  // to be turned right
  transversed = 7,
  turned_right = 8,
};

// Expects a JPEG file with checked segments; upright if the file has no orientation, or an unknown one.
Orientation orientation_of(std::span<const uint8_t> bytes);

// Turns a picture upright. An upright picture is returned unchanged.
Decoded turned(Decoded picture, Orientation orientation);

}  // namespace quintet::image
