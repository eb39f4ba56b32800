#include "bindings/image/image_file.h"

#include "bindings/image/jpeg_file.h"
#include "bindings/image/png_file.h"

namespace quintet::image {

Fault check_image_file(std::span<const uint8_t> bytes) {
  if (is_png(bytes)) return check_png(bytes);
  if (is_jpeg(bytes)) return check_jpeg(bytes);
  return Fault::unknown;
}

}  // namespace quintet::image
