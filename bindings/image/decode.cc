#include "bindings/image/decode.h"

#include <climits>
#include <string_view>
#include <utility>

#include "bindings/image/orientation.h"
#include "bindings/image/stb_options.h"

#include <stb/stb_image.h>

namespace quintet::image {

Decoded decode(std::span<const uint8_t> bytes) {
  if (bytes.size() > INT_MAX) return {.fault = Fault::too_large, .pixels = nullptr};
  if (const Fault fault = check_image_file(bytes); fault != Fault::none) return {.fault = fault, .pixels = nullptr};
  constexpr int kChannels = 3;
  int width = 0, height = 0, channels = 0;
  uint8_t* pixels =
      stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, kChannels);
  if (pixels == nullptr) {
    const bool memory = std::string_view(stbi_failure_reason()) == "outofmem";
    return {.fault = memory ? Fault::out_of_memory : Fault::corrupt, .pixels = nullptr};
  }
  Decoded picture = {.fault = Fault::none,
                     .width = static_cast<uint32_t>(width),
                     .height = static_cast<uint32_t>(height),
                     .pixels = std::unique_ptr<uint8_t, Free>(pixels)};
  return is_png(bytes) ? std::move(picture) : turned(std::move(picture), orientation_of(bytes));
}

}  // namespace quintet::image
