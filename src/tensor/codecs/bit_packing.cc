#include "tensor/codecs/bit_packing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace quintet {
namespace {

// GCC and Clang compile operations on these to SIMD instructions.
using Integers16 [[gnu::vector_size(16)]] = int8_t;
using Floats16 [[gnu::vector_size(64)]] = float;

void unpack_8(const std::byte* packed, float scale, std::span<float> values) {
  for (; values.size() >= 16; values = values.subspan(16), packed += 16) {
    Integers16 q;
    std::memcpy(&q, packed, sizeof q);
    const Floats16 scaled = __builtin_convertvector(q, Floats16) * scale;
    std::memcpy(values.data(), &scaled, sizeof scaled);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<int8_t>(packed[i])) * scale;
  }
}

constexpr int low_half(std::byte byte) { return static_cast<int8_t>(byte << 4) >> 4; }
constexpr int high_half(std::byte byte) { return static_cast<int8_t>(byte) >> 4; }

// The two values of every byte: a look-up takes half the time of shifting.
constexpr std::array<std::array<float, 2>, 256> make_halves() {
  std::array<std::array<float, 2>, 256> table = {};
  for (size_t byte = 0; byte < table.size(); ++byte) {
    const auto packed = static_cast<std::byte>(byte);
    table[byte] = {static_cast<float>(low_half(packed)), static_cast<float>(high_half(packed))};
  }
  return table;
}
constexpr auto kHalves = make_halves();

void unpack_4(const std::byte* packed, float scale, std::span<float> values) {
  float* out = values.data();
  for (size_t i = 0; i < values.size() / 2; ++i, out += 2) {
    const std::array<float, 2>& halves = kHalves[std::to_integer<size_t>(packed[i])];
    out[0] = halves[0] * scale;
    out[1] = halves[1] * scale;
  }
  if (values.size() % 2 != 0) *out = static_cast<float>(low_half(packed[values.size() / 2])) * scale;
}

// Eight 5-bit values, spread over the bytes of the result by halving: 40 bits to twice 20, four times 10, eight times
// 5.
uint64_t spread_5(uint64_t bits) {
  bits = (bits & 0xFFFFF) | (bits & 0xFFFFF00000) << 12;
  bits = (bits & 0x000003FF000003FF) | (bits & 0x000FFC00000FFC00) << 6;
  return (bits & 0x001F001F001F001F) | (bits & 0x03E003E003E003E0) << 3;
}

// Up to eight values, each offset by 16: inverting the sign bit makes them unsigned.
std::array<uint8_t, 8> raised_eight_5(const std::byte* packed, size_t count) {
  uint64_t bits = 0;
  const size_t bytes = (count * 5 + 7) / 8;
  for (size_t i = 0; i < bytes; ++i) bits |= std::to_integer<uint64_t>(packed[i]) << (8 * i);
  return std::bit_cast<std::array<uint8_t, 8>>(spread_5(bits) ^ 0x1010101010101010);
}

void unpack_eight_5(const std::byte* packed, float scale, std::span<float> values) {
  const auto raised = raised_eight_5(packed, values.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(raised[i] - 16) * scale;
}

void unpack_eight_5(const std::byte* packed, std::span<int8_t> q) {
  const auto raised = raised_eight_5(packed, q.size());
  for (size_t i = 0; i < q.size(); ++i) q[i] = static_cast<int8_t>(raised[i] - 16);
}

// Sixteen bytes, two values each.
using Bytes16 [[gnu::vector_size(16)]] = uint8_t;
using Words4 [[gnu::vector_size(16)]] = uint32_t;

void unpack_sixteen_4(const std::byte* packed, int8_t* q) {
  Words4 bytes;
  std::memcpy(&bytes, packed, sizeof bytes);
  // Inverting the sign bit and subtracting it extends the sign.
  const auto extended = [](Words4 nibbles) { return (reinterpret_cast<Bytes16>(nibbles & 0x0F0F0F0F) ^ 8) - 8; };
  const Bytes16 low = extended(bytes), high = extended(bytes >> 4);
  const Bytes16 first = __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const Bytes16 second =
      __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  std::memcpy(q, &first, sizeof first);
  std::memcpy(q + 16, &second, sizeof second);
}

void unpack_4(const std::byte* packed, std::span<int8_t> q) {
  for (; q.size() >= 32; q = q.subspan(32), packed += 16) unpack_sixteen_4(packed, q.data());
  const size_t pairs = q.size() / 2;
  for (size_t i = 0; i < pairs; ++i) {
    q[2 * i] = static_cast<int8_t>(low_half(packed[i]));
    q[2 * i + 1] = static_cast<int8_t>(high_half(packed[i]));
  }
  if (q.size() % 2 != 0) q.back() = static_cast<int8_t>(low_half(packed[pairs]));
}

void unpack_5(const std::byte* packed, float scale, std::span<float> values) {
  for (; values.size() > 8; values = values.subspan(8), packed += 5) {
    unpack_eight_5(packed, scale, values.first<8>());
  }
  unpack_eight_5(packed, scale, values);
}

}  // namespace

void unpack(unsigned bits, const std::byte* packed, float scale, std::span<float> values) {
  if (bits == 8) return unpack_8(packed, scale, values);
  if (bits == 4) return unpack_4(packed, scale, values);
  unpack_5(packed, scale, values);
}

void unpack(unsigned bits, const std::byte* packed, std::span<int8_t> q) {
  if (bits == 8) {
    std::memcpy(q.data(), packed, q.size());
    return;
  }
  if (bits == 4) return unpack_4(packed, q);
  for (; q.size() > kPackedTogether; q = q.subspan(kPackedTogether), packed += bits) {
    unpack_eight_5(packed, q.first<kPackedTogether>());
  }
  unpack_eight_5(packed, q);
}

void pack(unsigned bits, std::span<const int8_t> q, std::byte* packed) {
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  while (!q.empty()) {
    const size_t count = std::min<size_t>(q.size(), kPackedTogether);
    uint64_t together = 0;
    for (size_t i = 0; i < count; ++i) together |= (static_cast<uint64_t>(q[i]) & mask) << (bits * i);
    for (size_t i = 0; i < (count * bits + 7) / 8; ++i) *packed++ = static_cast<std::byte>(together >> (8 * i));
    q = q.subspan(count);
  }
}

}  // namespace quintet
