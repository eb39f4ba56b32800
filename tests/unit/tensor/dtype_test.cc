#include "tensor/dtype.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace quintet {
namespace {

Dtype dtype_at(int i) { return static_cast<Dtype>(i); }

TEST(Dtype, NamesAreUniqueAndReadBack) {
  for (int i = 0; i < kDtypes; ++i) EXPECT_EQ(dtype_named(name_of(dtype_at(i))), dtype_at(i));
  EXPECT_EQ(dtype_named("f32"), std::nullopt);
  EXPECT_EQ(dtype_named(""), std::nullopt);
  EXPECT_EQ(weights_name_of(Dtype::bf16), "BFLOAT16");
  EXPECT_EQ(weights_name_of(Dtype::f64), "");
}

TEST(Dtype, SizesOfWholeBytesOnly) {
  EXPECT_EQ(bytes_of(Dtype::f32, 3), 12u);
  EXPECT_EQ(bytes_of(Dtype::f4, 4), 2u);
  EXPECT_EQ(bytes_of(Dtype::f4, 3), std::nullopt);
  EXPECT_EQ(bytes_of(Dtype::f6_e2m3, 4), 3u);
  EXPECT_EQ(bytes_of(Dtype::f64, UINT64_MAX / 8), std::nullopt);  // the bits do not fit
}

template <class T>
void expect_decoded(Dtype dtype, const std::vector<T>& stored, const std::vector<float>& expected) {
  std::vector<std::byte> shifted(1);  // an odd address: the bytes need no alignment
  const auto bytes = std::as_bytes(std::span(stored));
  shifted.insert(shifted.end(), bytes.begin(), bytes.end());
  std::vector<float> out(stored.size());
  decode(dtype, Bytes(shifted).subspan(1), out);
  EXPECT_EQ(out, expected) << name_of(dtype);
}

TEST(Dtype, DecodesNumbers) {
  expect_decoded<float>(Dtype::f32, {1.5F, -0.0F}, {1.5F, -0.0F});
  expect_decoded<double>(Dtype::f64, {0.1, 1e300}, {0.1F, INFINITY});
  expect_decoded<uint16_t>(Dtype::f16, {0x3C00, 0x8001}, {1, -0x1p-24F});
  expect_decoded<uint16_t>(Dtype::bf16, {0x3F80, 0xC000}, {1, -2});
  expect_decoded<int8_t>(Dtype::i8, {-128, 127}, {-128, 127});
  expect_decoded<uint8_t>(Dtype::u8, {0, 255}, {0, 255});
  expect_decoded<int16_t>(Dtype::i16, {-32768}, {-32768});
  expect_decoded<uint16_t>(Dtype::u16, {65535}, {65535});
  expect_decoded<int32_t>(Dtype::i32, {INT32_MIN}, {-2147483648.0F});
  expect_decoded<uint32_t>(Dtype::u32, {UINT32_MAX}, {4294967296.0F});
  expect_decoded<int64_t>(Dtype::i64, {INT64_MIN, 5}, {-0x1p63F, 5});
  expect_decoded<uint64_t>(Dtype::u64, {UINT64_MAX}, {0x1p64F});
  expect_decoded<uint8_t>(Dtype::boolean, {0, 1}, {0, 1});
  expect_decoded<uint8_t>(Dtype::f8_e8m0, {0, 127, 254}, {0x1p-127F, 1, 0x1p127F});
}

// Computed by the definition of the OCP specification, in double precision.
double f8_value(int code, int exponent_bits, int bias) {
  const int mantissa_bits = 7 - exponent_bits;
  const int exponent = (code & 127) >> mantissa_bits;
  const int mantissa = code & ((1 << mantissa_bits) - 1);
  const double sign = code > 127 ? -1 : 1;
  const int implicit = exponent == 0 ? 0 : 1 << mantissa_bits;
  return sign * std::ldexp(mantissa + implicit, (exponent == 0 ? 1 : exponent) - bias - mantissa_bits);
}

TEST(Dtype, DecodesEveryEightBitFloat) {
  std::vector<std::byte> codes(256);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::byte>(i);
  std::vector<float> e4m3(256);
  std::vector<float> e5m2(256);
  decode(Dtype::f8_e4m3, codes, e4m3);
  decode(Dtype::f8_e5m2, codes, e5m2);
  for (int code = 0; code < 256; ++code) {
    const size_t i = static_cast<size_t>(code);
    if ((code & 127) == 127) {
      EXPECT_TRUE(std::isnan(e4m3[i]));
    } else {
      EXPECT_EQ(e4m3[i], f8_value(code, 4, 7)) << code;
    }
    const int magnitude = code & 127;
    if (magnitude > 124) {
      EXPECT_TRUE(std::isnan(e5m2[i]));
    } else if (magnitude == 124) {
      EXPECT_TRUE(std::isinf(e5m2[i]));
    } else {
      EXPECT_EQ(e5m2[i], f8_value(code, 5, 15)) << code;
    }
  }
}

TEST(Dtype, Encodes) {
  const std::array<float, 2> values = {1.0F, 65520.0F};
  std::array<std::byte, 4> halves;
  encode(Dtype::f16, values, halves);
  EXPECT_EQ(halves, (std::array<std::byte, 4>{std::byte{0}, std::byte{0x3C}, std::byte{0}, std::byte{0x7C}}));
  encode(Dtype::bf16, values, halves);
  EXPECT_EQ(halves, (std::array<std::byte, 4>{std::byte{0x80}, std::byte{0x3F}, std::byte{0x80}, std::byte{0x47}}));
}

}  // namespace
}  // namespace quintet
