#include "bindings/image/jpeg_file.h"

#include "bindings/image/big_endian.h"
#include "image/pixels.h"

namespace quintet::image {
namespace {

enum Marker : uint8_t {
  kFirstFrame = 0xC0,     // baseline; + 1 extended, + 2 progressive
  kHuffmanTables = 0xC4,  // among the numbers of frames, like the next two
  kReserved = 0xC8,
  kArithmeticTables = 0xCC,
  kLastFrame = 0xCF,
  kStart = 0xD8,
  kEnd = 0xD9,
  kScan = 0xDA,
};

bool is_frame(uint8_t marker) {
  return marker >= kFirstFrame && marker <= kLastFrame && marker != kHuffmanTables && marker != kReserved &&
         marker != kArithmeticTables;
}

// The segment of a frame behind its length.
Fault check_frame(uint8_t marker, std::span<const uint8_t> frame) {
  constexpr size_t kFixedBytes = 6;
  if (frame.size() < kFixedBytes) return Fault::corrupt;
  if (marker > kFirstFrame + 2) return Fault::coding;
  if (frame[0] != 8) return Fault::deep;
  const uint64_t height = u16_at(frame, 1);
  const uint64_t width = u16_at(frame, 3);
  const uint8_t components = frame[5];
  if (width == 0 || height == 0 || components == 0) return Fault::corrupt;
  if (width * height > kMostPixels) return Fault::too_large;
  if (components == 4) return Fault::cmyk;
  return components == 1 || components == 3 ? Fault::none : Fault::corrupt;
}

// In a scan 0xFF is always followed by 0, or by a marker: the marker of the end occurs nowhere else.
bool ends(std::span<const uint8_t> scans) {
  for (size_t i = scans.size(); i >= 2; --i) {
    if (scans[i - 2] == 0xFF && scans[i - 1] == kEnd) return true;
  }
  return false;
}

}  // namespace

bool is_jpeg(std::span<const uint8_t> bytes) {
  return bytes.size() >= 3 && bytes[0] == 0xFF && bytes[1] == kStart && bytes[2] == 0xFF;
}

Fault check_jpeg(std::span<const uint8_t> bytes) {
  bool framed = false;
  for (size_t at = 2; true;) {
    if (bytes.size() - at < 4) return Fault::truncated;
    if (bytes[at] != 0xFF) return Fault::corrupt;
    const uint8_t marker = bytes[at + 1];
    if (marker == 0xFF) {  // a filler
      ++at;
      continue;
    }
    const uint32_t length = u16_at(bytes, at + 2);  // of itself and what follows
    if (length < 2 || marker == kEnd) return Fault::corrupt;
    if (length > bytes.size() - at - 2) return Fault::truncated;
    const std::span<const uint8_t> segment = bytes.subspan(at + 4, length - 2);
    if (is_frame(marker)) {
      if (const Fault fault = check_frame(marker, segment); fault != Fault::none) return fault;
      framed = true;
    }
    at += 2 + size_t{length};
    if (marker == kScan) {
      if (!framed) return Fault::corrupt;
      return ends(bytes.subspan(at)) ? Fault::none : Fault::truncated;
    }
  }
}

}  // namespace quintet::image
