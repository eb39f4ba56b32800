#include "bindings/image/orientation.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace quintet::image {
namespace {

constexpr size_t kChannels = 3;

// The part of an Exif segment after its name: a TIFF file. Its first bytes name the byte order of its numbers.
class Tiff {
 public:
  explicit Tiff(std::span<const uint8_t> bytes) : bytes_(bytes), is_big_(!bytes.empty() && bytes[0] == 'M') {}

  // The value of a short of the first directory.
  std::optional<uint32_t> find(uint32_t tag) const {
    constexpr uint32_t kShort = 3;
    constexpr size_t kEntryBytes = 12, kHeaderBytes = 8;
    if (bytes_.size() < kHeaderBytes) return std::nullopt;
    const uint64_t directory = long_at(4);
    if (directory + 2 > bytes_.size()) return std::nullopt;
    const size_t entries = short_at(static_cast<size_t>(directory));
    for (size_t i = 0; i < entries; ++i) {
      const uint64_t at = directory + 2 + i * kEntryBytes;
      if (at + kEntryBytes > bytes_.size()) return std::nullopt;
      const auto entry = static_cast<size_t>(at);
      if (short_at(entry) == tag && short_at(entry + 2) == kShort) return short_at(entry + 8);
    }
    return std::nullopt;
  }

 private:
  uint32_t short_at(size_t at) const {
    const uint32_t first = bytes_[at], second = bytes_[at + 1];
    return is_big_ ? first << 8 | second : second << 8 | first;
  }
  uint32_t long_at(size_t at) const {
    const uint32_t first = short_at(at), second = short_at(at + 2);
    return is_big_ ? first << 16 | second : second << 16 | first;
  }

  std::span<const uint8_t> bytes_;
  bool is_big_;
};

bool swaps_sides(Orientation orientation) { return orientation >= Orientation::transposed; }

// Whether the rows of the stored picture are read from its end; likewise its columns.
bool reverses_rows(Orientation orientation) {
  return orientation == Orientation::upside_down || orientation == Orientation::flipped ||
         orientation == Orientation::turned_left || orientation == Orientation::transversed;
}
bool reverses_columns(Orientation orientation) {
  return orientation == Orientation::mirrored || orientation == Orientation::upside_down ||
         orientation == Orientation::transversed || orientation == Orientation::turned_right;
}

}  // namespace

Orientation orientation_of(std::span<const uint8_t> bytes) {
  constexpr uint8_t kApplication1 = 0xE1, kScan = 0xDA;
  constexpr uint8_t kName[] = {'E', 'x', 'i', 'f', 0, 0};
  constexpr uint32_t kOrientationTag = 0x0112;
  for (size_t at = 2; bytes.size() - at >= 4;) {
    const uint8_t marker = bytes[at + 1];
    if (marker == 0xFF) {  // a fill byte
      ++at;
      continue;
    }
    const size_t length = u16_at(bytes, at + 2);
    if (marker == kScan || length < 2 || length > bytes.size() - at - 2) break;
    const std::span<const uint8_t> segment = bytes.subspan(at + 4, length - 2);
    if (marker == kApplication1 && segment.size() > sizeof(kName) &&
        std::equal(std::begin(kName), std::end(kName), segment.begin())) {
      const std::optional<uint32_t> found = Tiff(segment.subspan(sizeof(kName))).find(kOrientationTag);
      return found && *found >= 1 && *found <= 8 ? static_cast<Orientation>(*found) : Orientation::upright;
    }
    at += 2 + length;
  }
  return Orientation::upright;
}

Decoded turned(Decoded picture, Orientation orientation) {
  if (orientation == Orientation::upright) return picture;
  const size_t height = picture.height, width = picture.width;
  const bool swaps = swaps_sides(orientation);
  Decoded result = {.width = static_cast<uint32_t>(swaps ? height : width),
                    .height = static_cast<uint32_t>(swaps ? width : height),
                    .pixels = nullptr};
  result.pixels.reset(static_cast<uint8_t*>(std::malloc(height * width * kChannels)));
  if (!result.pixels) return {.fault = Fault::out_of_memory, .pixels = nullptr};
  uint8_t* to = result.pixels.get();
  for (size_t y = 0; y < result.height; ++y) {
    for (size_t x = 0; x < result.width; ++x, to += kChannels) {
      size_t row = swaps ? x : y, column = swaps ? y : x;
      if (reverses_rows(orientation)) row = height - 1 - row;
      if (reverses_columns(orientation)) column = width - 1 - column;
      std::memcpy(to, picture.pixels.get() + (row * width + column) * kChannels, kChannels);
    }
  }
  return result;
}

}  // namespace quintet::image
