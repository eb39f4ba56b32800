#pragma once
// The chunks of a PNG file (ISO/IEC 15948, 5).

#include "bindings/image/image_file.h"

namespace quintet::image {

bool is_png(std::span<const uint8_t> bytes);
Fault check_png(std::span<const uint8_t> bytes);

}  // namespace quintet::image
