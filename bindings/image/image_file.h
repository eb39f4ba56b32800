#pragma once
// Checks a JPEG or PNG file before it is decoded: whether it is complete, and of a supported kind.

#include <cstddef>
#include <cstdint>
#include <span>

namespace quintet::image {

// The numbers match npm/src/platform/node/images.ts.
enum class Fault : uint8_t {
  none = 0,
  unknown = 1,    // neither JPEG nor PNG
  truncated = 2,  // ends before the picture is complete
  corrupt = 3,    // breaks the rules of its format
  too_large = 4,  // more than kMaxPixels
  cmyk = 5,       // four inks, without a profile for their colors
  deep = 6,       // not 8 bits per sample; in PNG more than 8
  animated = 7,   // APNG
  coding = 8,     // lossless or arithmetic JPEG
  out_of_memory = 9,
};

// Checks every chunk and checksum of a PNG, and every segment of a JPEG up to its end, its frame and its Huffman
// tables. The compressed data is not examined.
Fault check_image_file(std::span<const uint8_t> bytes);

// PNG and JPEG store numbers most significant byte first.
inline uint32_t u16_at(std::span<const uint8_t> bytes, size_t at) {
  return static_cast<uint32_t>(bytes[at]) << 8 | bytes[at + 1];
}

inline uint32_t u32_at(std::span<const uint8_t> bytes, size_t at) {
  return u16_at(bytes, at) << 16 | u16_at(bytes, at + 2);
}

// Recognizes a file by its signature.
bool is_png(std::span<const uint8_t> bytes);

}  // namespace quintet::image
