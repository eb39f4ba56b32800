#pragma once
// Hashes that files and fingerprints store. They protect nothing.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quintet {

std::array<std::byte, 20> sha1(std::string_view text);

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
