#include "tensor/packed/kv_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "base/half.h"

namespace quintet::testing {
namespace {

KvRowLayout layout_of(KvType type, size_t head_dim) {
  const auto layout = kv_row_layout(type, head_dim);
  EXPECT_TRUE(layout);
  return *layout;
}

std::vector<std::byte> encoded(const KvRowLayout& layout, const std::vector<float>& values) {
  std::vector<std::byte> row(layout.bytes, std::byte{0xAA});
  encode_kv_row(layout, values.data(), row.data());
  return row;
}

std::vector<float> round_trip(const KvRowLayout& layout, const std::vector<float>& values) {
  std::vector<float> decoded(values.size());
  decode_kv_row(layout, encoded(layout, values).data(), decoded.data());
  return decoded;
}

int byte_at(const std::vector<std::byte>& row, size_t i) { return std::to_integer<int>(row[i]); }

// A scale at the end of a row, as the bits of FP16.
int scale_at(const KvRowLayout& layout, const std::vector<std::byte>& row, size_t group) {
  const size_t offset = layout.scales_offset() + 2 * group;
  return byte_at(row, offset) | byte_at(row, offset + 1) << 8;
}

TEST(KvRowLayout, GroupsDivideTheHead) {
  EXPECT_EQ(layout_of(KvType::int8, 64).group, 32);
  EXPECT_EQ(layout_of(KvType::int8, 96).group, 32);
  EXPECT_EQ(layout_of(KvType::int4, 80).group, 16);
  EXPECT_EQ(layout_of(KvType::int4, 24).group, 8);
  EXPECT_EQ(layout_of(KvType::int8, 100).group, 100);
  EXPECT_EQ(layout_of(KvType::int8, 7).group, 7);
  EXPECT_EQ(layout_of(KvType::f16, 64).groups(), 0);
}

TEST(KvRowLayout, BytesAreWholeWords) {
  EXPECT_EQ(layout_of(KvType::f32, 5).bytes, 20);
  EXPECT_EQ(layout_of(KvType::f16, 64).bytes, 128);
  EXPECT_EQ(layout_of(KvType::f16, 5).bytes, 12);
  EXPECT_EQ(layout_of(KvType::int8, 64).bytes, 64 + 4);
  EXPECT_EQ(layout_of(KvType::int8, 7).bytes, 12);
  EXPECT_EQ(layout_of(KvType::int4, 64).bytes, 32 + 4);
  EXPECT_EQ(layout_of(KvType::int4, 80).bytes, 40 + 10 + 2);
}

TEST(KvRowLayout, RejectsInvalidSizes) {
  for (const auto& layout :
       {kv_row_layout(KvType::int4, 63), kv_row_layout(KvType::f16, 0), kv_row_layout(KvType::f32, size_t{1} << 31)}) {
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().code, Code::unsupported);
  }
}

TEST(KvRows, FloatsStayAsTheyAre) {
  const std::vector<float> values = {1.1F, -2e30F, 0, 1e-40F, INFINITY};
  EXPECT_EQ(round_trip(layout_of(KvType::f32, 5), values), values);
}

// 1 + 2^-11 lies between two halves; 65520 rounds up to infinity.
TEST(KvRows, HalvesAreRoundedToEven) {
  const std::vector<float> values = {1.5F, 1 + 0x1p-11F, 1 + 3 * 0x1p-11F, 65504, 65520, -0x1p-24F};
  const std::vector<float> expected = {1.5F, 1, 1 + 0x1p-9F, 65504, INFINITY, -0x1p-24F};
  EXPECT_EQ(round_trip(layout_of(KvType::f16, 6), values), expected);
}

TEST(KvRows, Int8ByHand) {
  const KvRowLayout layout = layout_of(KvType::int8, 7);
  const std::vector<std::byte> row = encoded(layout, {127, -127, 0.5F, 1.5F, -2.5F, 3.4F, 0});
  const std::vector<int> expected = {127, -127, 0, 2, -2, 3, 0};
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(static_cast<int8_t>(byte_at(row, i)), expected[i]) << i;
  EXPECT_EQ(scale_at(layout, row, 0), 0x3C00);  // 1
  EXPECT_EQ(byte_at(row, 9) | byte_at(row, 10) | byte_at(row, 11), 0) << "padding";
}

// Ties go to the even neighbour; element 2i is in the low half of its byte.
TEST(KvRows, Int4ByHand) {
  const KvRowLayout layout = layout_of(KvType::int4, 8);
  const std::vector<std::byte> row = encoded(layout, {7, -7, 0.5F, 1.5F, 2.5F, -1.5F, -0.5F, 3.2F});
  EXPECT_EQ(byte_at(row, 0), 0x97);
  EXPECT_EQ(byte_at(row, 1), 0x20);
  EXPECT_EQ(byte_at(row, 2), 0xE2);
  EXPECT_EQ(byte_at(row, 3), 0x30);
  EXPECT_EQ(scale_at(layout, row, 0), 0x3C00);
}

// Computed by the definition, one value after the other, including groups that begin inside a byte or are longer than a
// vector.
TEST(KvRows, Int4GroupsOfAnySize) {
  std::mt19937 random(20261122);
  std::normal_distribution<float> normal;
  const std::pair<size_t, size_t> shapes[] = {{2, 1},     {6, 3},   {10, 5},   {8, 8},     {64, 64},  {66, 66},
                                              {128, 128}, {96, 32}, {192, 64}, {256, 128}, {130, 26}, {154, 77}};
  for (const auto& [head_dim, group] : shapes) {
    const KvRowLayout layout = int4_row_layout(head_dim, group);
    EXPECT_EQ(layout.groups(), head_dim / group);
    EXPECT_EQ(layout.bytes, (head_dim / 2 + head_dim / group * 2 + 3) / 4 * 4);
    std::vector<float> values(head_dim);
    for (float& value : values) value = std::ldexp(normal(random), static_cast<int>(random() % 12));
    const std::vector<std::byte> row = encoded(layout, values);
    const std::vector<float> decoded = round_trip(layout, values);
    for (size_t i = 0; i < head_dim; ++i) {
      float largest = 0;
      for (size_t j = 0; j < group; ++j) largest = std::fmax(largest, std::fabs(values[i / group * group + j]));
      const uint16_t stored = f32_to_f16(largest / 7);
      ASSERT_EQ(scale_at(layout, row, i / group), stored);
      const float scale = f16_to_f32(stored);
      const float q = std::fmax(-8, std::fmin(7, std::nearbyint(values[i] / scale)));
      ASSERT_EQ(byte_at(row, i / 2) >> (i % 2 * 4) & 15, static_cast<int>(q) & 15) << head_dim << " " << i;
      ASSERT_EQ(decoded[i], q * scale);
    }
  }
}

// All that a byte can hold; -8 is read as well.
TEST(KvRows, EveryNibbleIsRead) {
  const KvRowLayout layout = int4_row_layout(512, 512);
  std::vector<std::byte> row(layout.bytes);
  for (size_t i = 0; i < 256; ++i) row[i] = static_cast<std::byte>(i);
  row[257] = std::byte{0x3C};  // 1 as FP16
  std::vector<float> values(512);
  decode_kv_row(layout, row.data(), values.data());
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(values[2 * i], (i & 15) < 8 ? i & 15 : (i & 15) - 16);
    EXPECT_EQ(values[2 * i + 1], i >> 4 < 8 ? i >> 4 : (i >> 4) - 16);
  }
}

// max|x| = 7.5 2^-24, whose seventh 1.07 2^-24 rounds to 2^-24: 7.5 steps are a tie, which goes to 8, and only -8 is
// one.
TEST(KvRows, Int4UsesItsWholeRangeWhereTheScaleWasRoundedDown) {
  const KvRowLayout layout = layout_of(KvType::int4, 2);
  const std::vector<std::byte> row = encoded(layout, {-7.5F * 0x1p-24F, 7.5F * 0x1p-24F});
  EXPECT_EQ(scale_at(layout, row, 0), 1);
  EXPECT_EQ(byte_at(row, 0), 0x78);
}

// 1e-7 as FP16 is 2 * 2^-24.
TEST(KvRows, AGroupOfZerosHasTheSmallestScale) {
  for (const KvType type : {KvType::int8, KvType::int4}) {
    const KvRowLayout layout = layout_of(type, 64);
    std::vector<float> values(64);
    for (size_t i = 32; i < 64; ++i) values[i] = 1;
    const std::vector<std::byte> row = encoded(layout, values);
    EXPECT_EQ(scale_at(layout, row, 0), 2);
    EXPECT_NE(scale_at(layout, row, 1), 2);
    const std::vector<float> decoded = round_trip(layout, values);
    for (size_t i = 0; i < 64; ++i) EXPECT_NEAR(decoded[i], values[i], 1e-3) << i;
    for (size_t i = 0; i < 32; ++i) EXPECT_EQ(decoded[i], 0);
  }
}

TEST(KvRows, ANonFiniteValueMakesItsGroupNan) {
  for (const KvType type : {KvType::int8, KvType::int4}) {
    for (const float value : {NAN, INFINITY, -INFINITY, 1e30F}) {
      std::vector<float> values(64, 1);
      values[40] = value;
      const std::vector<float> decoded = round_trip(layout_of(type, 64), values);
      for (size_t i = 0; i < 64; ++i) EXPECT_EQ(std::isnan(decoded[i]), i >= 32) << i;
      EXPECT_FALSE(kv_row_has_scales(layout_of(type, 64), encoded(layout_of(type, 64), values).data()));
    }
  }
}

TEST(KvRows, FiniteGroupsHaveTheirScales) {
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
    for (const float value : {0.0F, 1e-30F, -3.0F, 65504.0F}) {
      const KvRowLayout layout = layout_of(type, 64);
      EXPECT_TRUE(kv_row_has_scales(layout, encoded(layout, std::vector<float>(64, value)).data()));
    }
  }
}

// Half a step of the rounded scale, and what rounding the scale by 2^-11 moves the greatest value.
TEST(KvRows, ErrorsAreWithinHalfAStep) {
  std::mt19937 random(20261121);
  std::normal_distribution<float> normal;
  for (const KvType type : {KvType::int8, KvType::int4}) {
    const float limit = type == KvType::int8 ? 127 : 7;
    for (const size_t head_dim : {2, 8, 20, 24, 48, 64, 80, 128, 250}) {
      const KvRowLayout layout = layout_of(type, head_dim);
      std::vector<float> values(head_dim);
      for (float& value : values) value = std::ldexp(normal(random), static_cast<int>(random() % 12));
      const std::vector<float> decoded = round_trip(layout, values);
      for (size_t i = 0; i < head_dim; ++i) {
        float largest = 0;
        for (size_t j = 0; j < layout.group; ++j) {
          largest = std::fmax(largest, std::fabs(values[i / layout.group * layout.group + j]));
        }
        EXPECT_LE(std::fabs(decoded[i] - values[i]), largest / limit * (0.5F + limit * 0x1p-11F) * 1.001F);
      }
    }
  }
}

}  // namespace
}  // namespace quintet::testing
