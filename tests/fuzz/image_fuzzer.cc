// JPEG and PNG files.

#include <cstdlib>
#include <vector>

#include "base/hash.h"
#include "bindings/image/decode.h"
#include "bindings/image/image_file.h"
#include "image/resize.h"

namespace {

using namespace quintet;

void decode_and_read(std::span<const uint8_t> file) {
  const image::Decoded decoded = image::decode(file);
  if ((decoded.pixels != nullptr) != (decoded.fault == image::Fault::none)) std::abort();
  if (decoded.fault != image::Fault::none) return;
  // All pixels are present.
  const Pixels pixels{
      {decoded.pixels.get(), size_t{decoded.width} * decoded.height * 3}, decoded.width, decoded.height, 3};
  if (!check_pixels(pixels)) std::abort();
  uint32_t sum = 0;
  for (const uint8_t sample : pixels.samples) sum += sample;
  [[maybe_unused]] volatile const uint32_t seen = sum;
}

// Its chunks get right checksums, without which no change of a file would come through to the decoder.
std::vector<uint8_t> with_right_checksums(std::span<const uint8_t> png) {
  constexpr size_t kSignature = 8, kAroundData = 12;
  std::vector<uint8_t> file(png.begin(), png.end());
  for (size_t at = kSignature; file.size() - at >= kAroundData;) {
    const size_t length = image::u32_at(file, at);
    if (length > file.size() - at - kAroundData) break;
    const uint32_t sum = crc32(std::as_bytes(std::span(file).subspan(at + 4, 4 + length)));
    for (size_t i = 0; i < 4; ++i) file[at + 8 + length + i] = static_cast<uint8_t>(sum >> (24 - 8 * i));
    at += kAroundData + length;
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> file(data, size);
  decode_and_read(file);
  if (image::is_png(file)) decode_and_read(with_right_checksums(file));
  return 0;
}
