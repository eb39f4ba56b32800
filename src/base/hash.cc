#include "base/hash.h"

#include <bit>
#include <cstring>
#include <string>

namespace quintet {
namespace {

constexpr uint32_t kPolynomial = 0xEDB88320;
constexpr size_t kSlices = 16;

// table[k][b]: the effect of byte b on the CRC when k more bytes follow. So sixteen bytes are sixteen independent
// look-ups. Filled at start: 16 KB of constants would be a tenth of the WebAssembly file.
using Tables = std::array<std::array<uint32_t, 256>, kSlices>;

Tables make_tables() {
  Tables tables;
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < kSlices; ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

const Tables& tables() {
  static const Tables instance = make_tables();
  return instance;
}

// Forced inline: compiled for size, a call for every four bytes would halve the speed.
[[gnu::always_inline]] inline uint32_t slice_word(const Tables& t, uint32_t word, size_t last) {
  return t[last][word & 0xFF] ^ t[last - 1][(word >> 8) & 0xFF] ^ t[last - 2][(word >> 16) & 0xFF] ^
         t[last - 3][word >> 24];
}

uint32_t update_slice(const Tables& t, uint32_t crc, const std::byte* at) {
  uint32_t words[4];
  std::memcpy(words, at, sizeof(words));
  return slice_word(t, words[0] ^ crc, 15) ^ slice_word(t, words[1], 11) ^ slice_word(t, words[2], 7) ^
         slice_word(t, words[3], 3);
}

// Polynomials modulo kPolynomial, the coefficient of x^0 in the top bit.
constexpr uint32_t kOne = 0x80000000;
constexpr uint32_t kX8 = kOne >> 8;

uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if ((a & kOne) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

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

void Crc32::update(Bytes bytes) {
  const Tables& t = tables();
  uint32_t crc = state_;
  const std::byte* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= kSlices; left -= kSlices, at += kSlices) crc = update_slice(t, crc, at);
  for (; left > 0; --left, ++at) crc = (crc >> 8) ^ t[0][(crc ^ static_cast<uint32_t>(*at)) & 0xFF];
  state_ = crc;
}

uint32_t crc32_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b) {
  // Appending n bytes multiplies the CRC of A by x^(8n).
  uint32_t shift = kOne;
  uint32_t power = kX8;
  for (; length_b != 0; length_b >>= 1) {
    if ((length_b & 1) != 0) shift = multiply(shift, power);
    power = multiply(power, power);
  }
  return multiply(shift, crc_a) ^ crc_b;
}

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
