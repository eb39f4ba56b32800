#include "bindings/image/image_file.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "image/resize.h"

namespace quintet::image {
namespace {

// The marker segments of a JPEG file (ITU-T T.81, B).
enum Marker : uint8_t {
  kFirstFrame = 0xC0,     // baseline; + 1 extended, + 2 progressive
  kHuffmanTables = 0xC4,  // among the numbers of frames, like the next two
  kReserved = 0xC8,
  kArithmeticTables = 0xCC,
  kLastFrame = 0xCF,
  kFirstRestart = 0xD0,
  kLastRestart = 0xD7,
  kStart = 0xD8,
  kEnd = 0xD9,
  kScan = 0xDA,
};

bool is_frame(uint8_t marker) {
  return marker >= kFirstFrame && marker <= kLastFrame && marker != kHuffmanTables && marker != kReserved &&
         marker != kArithmeticTables;
}

// The segment of a frame after its length.
Fault check_frame(uint8_t marker, std::span<const uint8_t> frame) {
  constexpr size_t kFixedBytes = 6;
  if (frame.size() < kFixedBytes) return Fault::corrupt;
  if (marker > kFirstFrame + 2) return Fault::coding;
  if (frame[0] != 8) return Fault::deep;
  const uint64_t height = u16_at(frame, 1);
  const uint64_t width = u16_at(frame, 3);
  const uint8_t components = frame[5];
  if (width == 0 || height == 0 || components == 0) return Fault::corrupt;
  if (width * height > kMaxPixels) return Fault::too_large;
  if (components == 4) return Fault::cmyk;
  return components == 1 || components == 3 ? Fault::none : Fault::corrupt;
}

// A progressive picture has about ten scans and needs a few hundred at most. Each scan goes over the whole picture, so
// a small file with many scans could keep the decoder busy for hours.
constexpr int kMaxScans = 500;

// A table has at most 256 symbols. stb_image 2.27 trusts the counts and writes beyond its own table.
Fault check_huffman_tables(std::span<const uint8_t> tables) {
  constexpr size_t kLengths = 16;
  constexpr size_t kMaxSymbols = 256;
  while (!tables.empty()) {
    if (tables.size() < 1 + kLengths) return Fault::corrupt;
    size_t symbols = 0;
    for (const uint8_t count : tables.subspan(1, kLengths)) symbols += count;
    if (symbols > kMaxSymbols || symbols > tables.size() - 1 - kLengths) return Fault::corrupt;
    tables = tables.subspan(1 + kLengths + symbols);
  }
  return Fault::none;
}

Fault check_segment(uint8_t marker, std::span<const uint8_t> segment) {
  if (is_frame(marker)) return check_frame(marker, segment);
  if (marker == kHuffmanTables) return check_huffman_tables(segment);
  return Fault::none;
}

// Position of the next marker, starting in the data of a scan. Restart markers are part of the data, and 0xFF 0 is an
// escaped value.
size_t end_of_scan(std::span<const uint8_t> bytes, size_t at) {
  while (bytes.size() - at >= 2) {
    const uint8_t marker = bytes[at + 1];
    const bool inside = marker == 0 || marker == 0xFF || (marker >= kFirstRestart && marker <= kLastRestart);
    if (bytes[at] == 0xFF && !inside) return at;
    ++at;
  }
  return at;
}

bool is_jpeg(std::span<const uint8_t> bytes) {
  return bytes.size() >= 3 && bytes[0] == 0xFF && bytes[1] == kStart && bytes[2] == 0xFF;
}

Fault check_jpeg(std::span<const uint8_t> bytes) {
  bool framed = false;
  int scans = 0;
  for (size_t at = 2; true;) {
    if (bytes.size() - at < 2) return Fault::truncated;
    if (bytes[at] != 0xFF) return Fault::corrupt;
    const uint8_t marker = bytes[at + 1];
    if (marker == 0xFF) {  // a fill byte
      ++at;
      continue;
    }
    if (marker == kEnd) return scans > 0 ? Fault::none : Fault::corrupt;
    if (bytes.size() - at < 4) return Fault::truncated;
    const uint32_t length = u16_at(bytes, at + 2);  // including itself
    if (length < 2) return Fault::corrupt;
    if (length > bytes.size() - at - 2) return Fault::truncated;
    if (const Fault fault = check_segment(marker, bytes.subspan(at + 4, length - 2)); fault != Fault::none)
      return fault;

    if (is_frame(marker)) {
      if (framed) return Fault::corrupt;
      framed = true;
    }
    at += 2 + size_t{length};
    if (marker == kScan) {
      if (!framed || ++scans > kMaxScans) return Fault::corrupt;
      at = end_of_scan(bytes, at);
    }
  }
}

// The chunks of a PNG file (ISO/IEC 15948, 5).
constexpr std::array<uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
constexpr size_t kAroundData = 12;  // length, type and checksum of a chunk
constexpr uint32_t kMaxLength = 0x7FFFFFFF;

constexpr uint32_t type(const char (&name)[5]) {
  return static_cast<uint32_t>(name[0]) << 24 | static_cast<uint32_t>(name[1]) << 16 |
         static_cast<uint32_t>(name[2]) << 8 | static_cast<uint32_t>(name[3]);
}

Fault check_header(std::span<const uint8_t> header) {
  constexpr size_t kBytes = 13;
  if (header.size() != kBytes) return Fault::corrupt;
  const uint64_t width = u32_at(header, 0);
  const uint64_t height = u32_at(header, 4);
  if (width == 0 || height == 0) return Fault::corrupt;
  if (width > kMaxPixels || width * height > kMaxPixels) return Fault::too_large;
  constexpr uint8_t kBitDepthAt = 8;
  return header[kBitDepthAt] > 8 ? Fault::deep : Fault::none;
}

Fault check_png(std::span<const uint8_t> bytes) {
  for (size_t at = kSignature.size(); true;) {
    if (bytes.size() - at < kAroundData) return Fault::truncated;
    const uint32_t length = u32_at(bytes, at);
    if (length > kMaxLength) return Fault::corrupt;
    if (length > bytes.size() - at - kAroundData) return Fault::truncated;
    const std::span<const uint8_t> named = bytes.subspan(at + 4, 4 + size_t{length});  // type and data
    if (u32_at(bytes, at + 8 + length) != crc32(std::as_bytes(named))) return Fault::corrupt;

    const uint32_t chunk = u32_at(named, 0);
    const bool first = at == kSignature.size();
    if (first != (chunk == type("IHDR"))) return Fault::corrupt;
    if (first) {
      if (const Fault fault = check_header(named.subspan(4)); fault != Fault::none) return fault;
    }
    if (chunk == type("acTL")) return Fault::animated;
    if (chunk == type("IEND")) return Fault::none;
    at += kAroundData + length;
  }
}

}  // namespace

Fault check_image_file(std::span<const uint8_t> bytes) {
  if (is_png(bytes)) return check_png(bytes);
  if (is_jpeg(bytes)) return check_jpeg(bytes);
  return Fault::unknown;
}

bool is_png(std::span<const uint8_t> bytes) {
  return bytes.size() >= kSignature.size() && std::equal(kSignature.begin(), kSignature.end(), bytes.begin());
}

}  // namespace quintet::image
