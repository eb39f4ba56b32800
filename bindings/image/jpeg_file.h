#pragma once
// The marker segments of a JPEG file (ITU-T T.81, B).

#include "bindings/image/image_file.h"

namespace quintet::image {

bool is_jpeg(std::span<const uint8_t> bytes);
Fault check_jpeg(std::span<const uint8_t> bytes);

}  // namespace quintet::image
