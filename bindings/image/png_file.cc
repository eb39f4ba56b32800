#include "bindings/image/png_file.h"

#include <algorithm>
#include <array>

#include "base/crc32.h"
#include "bindings/image/big_endian.h"
#include "image/resize.h"

namespace quintet::image {
namespace {

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

}  // namespace

bool is_png(std::span<const uint8_t> bytes) {
  return bytes.size() >= kSignature.size() && std::equal(kSignature.begin(), kSignature.end(), bytes.begin());
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

}  // namespace quintet::image
