#include "base/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace quintet {
namespace {

// The value of a half by the definition of IEEE 754, in double precision.
double half_value(uint16_t code) {
  const int exponent = (code >> 10) & 31;
  const int mantissa = code & 1023;
  const double sign = (code & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(Half, EveryCodeReadsExactly) {
  for (uint32_t code = 0; code < 65536; ++code) {
    const float value = f16_to_f32(static_cast<uint16_t>(code));
    const double expected = half_value(static_cast<uint16_t>(code));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << code;
    } else {
      EXPECT_EQ(value, expected) << code;
      EXPECT_EQ(std::signbit(value), (code & 0x8000) != 0) << code;
    }
  }
}

TEST(Half, EveryCodeSurvivesTheRoundTripThroughFloat) {
  for (uint32_t code = 0; code < 65536; ++code) {
    EXPECT_EQ(f32_to_f16(f16_to_f32(static_cast<uint16_t>(code))), code);
  }
}

// Between any two neighbours: what lies below the middle goes down, above it up, the middle to the even one.
TEST(Half, WritingRoundsToTheNearestAndTiesToEven) {
  for (uint16_t code = 0; code < 0x7BFF; ++code) {
    const uint16_t next = static_cast<uint16_t>(code + 1);
    const float middle = static_cast<float>((half_value(code) + half_value(next)) / 2);
    const uint16_t even = (code & 1) == 0 ? code : next;
    EXPECT_EQ(f32_to_f16(middle), even) << code;
    EXPECT_EQ(f32_to_f16(std::nextafter(middle, 0.0F)), code) << code;
    EXPECT_EQ(f32_to_f16(std::nextafter(middle, INFINITY)), next) << code;
    EXPECT_EQ(f32_to_f16(-middle), even | 0x8000) << code;
  }
}

TEST(Half, WritingBeyondTheRange) {
  EXPECT_EQ(f32_to_f16(65519.996F), 0x7BFF);
  EXPECT_EQ(f32_to_f16(65520.0F), 0x7C00);
  EXPECT_EQ(f32_to_f16(std::numeric_limits<float>::max()), 0x7C00);
  EXPECT_EQ(f32_to_f16(-INFINITY), 0xFC00);
  EXPECT_EQ(f32_to_f16(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(f32_to_f16(-0.0F), 0x8000);
}

TEST(Half, ANanWithAnOversizedPayloadStaysNan) {
  const uint16_t code = f32_to_f16(std::bit_cast<float>(0x7F800001u));
  EXPECT_TRUE(std::isnan(f16_to_f32(code)));
}

TEST(Bfloat16, EveryCodeIsTheUpperHalfOfAFloat) {
  for (uint32_t code = 0; code < 65536; ++code) {
    EXPECT_EQ(std::bit_cast<uint32_t>(bf16_to_f32(static_cast<uint16_t>(code))), code << 16);
    EXPECT_EQ(f32_to_bf16(bf16_to_f32(static_cast<uint16_t>(code))), code);
  }
}

TEST(Bfloat16, WritingRoundsToTheNearestAndTiesToEven) {
  for (uint32_t code = 0; code < 0x7F7F; ++code) {
    const uint32_t middle = code << 16 | 0x8000;
    EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(middle)), code + (code & 1));
    EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(middle - 1)), code);
    EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(middle + 1)), code + 1);
  }
  EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_TRUE(std::isnan(bf16_to_f32(f32_to_bf16(std::bit_cast<float>(0x7F800001u)))));
}

}  // namespace
}  // namespace quintet
