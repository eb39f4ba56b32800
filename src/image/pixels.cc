#include "image/pixels.h"

#include <string>

namespace quintet {

Status check_pixels(const Pixels& pixels) {
  const auto refuse = [&](Reason reason, const std::string& detail) {
    return input_error(reason, "a picture of " + std::to_string(pixels.width) + " x " + std::to_string(pixels.height) +
                                   " pixels " + detail);
  };
  const uint64_t count = uint64_t{pixels.width} * pixels.height;
  if (count == 0) return refuse(Reason::out_of_range, "is empty");
  if (count > kMaxPixels) {
    return refuse(Reason::limit, "is too large: " + std::to_string(kMaxPixels) + " pixels are the most");
  }
  if (pixels.channels != 1 && pixels.channels != 3 && pixels.channels != 4) {
    return refuse(Reason::out_of_range,
                  "has " + std::to_string(pixels.channels) + " channels; 1, 3 and 4 are supported");
  }
  if (pixels.samples.size() != count * pixels.channels) {
    return refuse(Reason::mismatch, "with " + std::to_string(pixels.channels) + " channels has " +
                                        std::to_string(count * pixels.channels) + " samples, not " +
                                        std::to_string(pixels.samples.size()));
  }
  return {};
}

}  // namespace quintet
