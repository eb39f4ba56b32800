#include "base/hash.h"

#include <bit>
#include <string>

namespace quintet {
namespace {

using State = std::array<uint32_t, 5>;

constexpr size_t kBlockBytes = 64;
constexpr size_t kRounds = 80;

// FIPS 180-4, 4.1.1 and 4.2.1: the function and the constant of a round.
uint32_t mix(size_t round, uint32_t b, uint32_t c, uint32_t d) {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

// FIPS 180-4, 6.1.2.
void add_block(std::string_view block, State& state) {
  std::array<uint32_t, kRounds> words{};
  for (size_t i = 0; i < kBlockBytes; ++i) words[i / 4] = words[i / 4] << 8 | static_cast<uint8_t>(block[i]);
  for (size_t i = 16; i < kRounds; ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (size_t i = 0; i < kRounds; ++i) {
    const uint32_t next = std::rotl(a, 5) + mix(i, b, c, d) + e + words[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

}  // namespace

std::array<std::byte, 20> sha1(std::string_view text) {
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % kBlockBytes != kBlockBytes - sizeof(uint64_t)) padded += '\0';
  const uint64_t bits = uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 0xff);

  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (size_t at = 0; at < padded.size(); at += kBlockBytes) {
    add_block(std::string_view(padded).substr(at, kBlockBytes), state);
  }
  std::array<std::byte, 20> digest{};
  for (size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::byte>(state[i / 4] >> (24 - i % 4 * 8));
  return digest;
}

}  // namespace quintet
