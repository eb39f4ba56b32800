#pragma once
// A look at a JPEG or PNG file before it is decoded: whether it is whole, and a picture that is
// supported.

#include <cstddef>
#include <cstdint>
#include <span>

namespace quintet::image {

// The numbers are those of npm/src/platform/node/images.ts.
enum class Fault : uint8_t {
  none = 0,
  unknown = 1,    // neither JPEG nor PNG
  truncated = 2,  // ends before the picture does
  corrupt = 3,    // breaks the rules of its format
  too_large = 4,  // more than kMaxPixels
  cmyk = 5,       // four inks, of which no profile says how they look
  deep = 6,       // other than 8 bits a sample, in PNG at most 8
  animated = 7,   // APNG
  coding = 8,     // lossless or arithmetic JPEG
  out_of_memory = 9,
};

// Every chunk and checksum of a PNG; every segment of a JPEG up to its end, its frame and its
// Huffman tables. The compressed data is not looked at.
Fault check_image_file(std::span<const uint8_t> bytes);

// Numbers as PNG and JPEG write them: most significant byte first.
inline uint32_t u16_at(std::span<const uint8_t> bytes, size_t at) {
  return static_cast<uint32_t>(bytes[at]) << 8 | bytes[at + 1];
}

inline uint32_t u32_at(std::span<const uint8_t> bytes, size_t at) {
  return u16_at(bytes, at) << 16 | u16_at(bytes, at + 2);
}

// By its signature.
bool is_png(std::span<const uint8_t> bytes);

}  // namespace quintet::image
