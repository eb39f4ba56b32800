#pragma once
// The hashes of files, names and fingerprints. They detect errors and are not for security.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace quintet {

// CRC-32 as in zlib, PNG and Ethernet (reflected polynomial 0xEDB88320).
class Crc32 {
 public:
  void update(Bytes bytes);
  uint32_t value() const { return ~state_; }

 private:
  uint32_t state_ = 0xFFFFFFFF;
};

inline uint32_t crc32(Bytes bytes) {
  Crc32 crc;
  crc.update(bytes);
  return crc.value();
}

// The CRC of A followed by B, from the CRCs of A and B and the length of B. With it, the checksums of a file and of a
// part of it need only one pass over the bytes.
uint32_t crc32_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b);

// SHA-1 (FIPS 180-4), for names derived from content: UUIDs of version 5.
std::array<std::byte, 20> sha1(std::string_view text);

// FNV-1a of text.
constexpr uint32_t fnv1a_32(std::string_view text) {
  uint32_t hash = 0x811C9DC5;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash;
}

constexpr uint64_t fnv1a_64(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x00000100000001B3;
  return hash;
}

}  // namespace quintet
