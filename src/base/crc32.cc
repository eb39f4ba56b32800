#include "base/crc32.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace quintet {
namespace {

constexpr uint32_t kPolynomial = 0xEDB88320;
constexpr size_t kSlices = 16;

// table[k][b]: what byte b does to the CRC when k more bytes follow it. Sixteen bytes are then sixteen independent
// look-ups. Filled at start, since 16 KB of constants would be a tenth of the wasm file.
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

// Not left to a compiler that optimizes for size: a call for every four bytes would halve the speed.
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

}  // namespace quintet
