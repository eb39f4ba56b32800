#include "tensor/packed/paired_matrix.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace quintet::test {
namespace {

struct PairedShape {
  size_t rows, segments, length;
};

constexpr PairedShape kPairedShapes[] = {{1, 1, 1}, {8, 3, 21}, {11, 2, 6}, {16, 1, 5}, {21, 7, 4}};

// Every value differs from its neighbours.
int8_t value_at(const PairedShape& s, size_t row, size_t segment, size_t i) {
  return static_cast<int8_t>((row * s.segments + segment) * s.length * 7 + i * 3 + 1);
}

PairedMatrix filled(const PairedShape& s) {
  PairedMatrix matrix(s.rows, s.segments, s.length);
  std::vector<int8_t> row(s.segments * s.length);
  for (size_t r = 0; r < s.rows; ++r) {
    for (size_t i = 0; i < row.size(); ++i) row[i] = value_at(s, r, i / s.length, i % s.length);
    EXPECT_TRUE(matrix.append_row(row));
  }
  return matrix;
}

TEST(PairedMatrix, PairsOfEightRowsLieTogetherAndPaddingIsZero) {
  for (const PairedShape& s : kPairedShapes) {
    const PairedMatrix matrix = filled(s);
    const size_t pairs = (s.length + 1) / 2;
    ASSERT_EQ(matrix.pairs(), pairs);
    ASSERT_EQ(matrix.panels(), (s.rows + 7) / 8);
    ASSERT_EQ(matrix.panel_values(), s.segments * pairs * 16);
    for (size_t row = 0; row < matrix.panels() * 8; ++row) {
      for (size_t segment = 0; segment < s.segments; ++segment) {
        for (size_t i = 0; i < pairs * 2; ++i) {
          const size_t at = ((segment * pairs + i / 2) * 8 + row % 8) * 2 + i % 2;
          const bool exists = row < s.rows && i < s.length;
          ASSERT_EQ(matrix.panel(row / 8)[at], exists ? value_at(s, row, segment, i) : 0) << row << ", " << i;
        }
      }
    }
  }
}

TEST(PairedMatrix, OneZeroPointIsThatOfAllRowsThatExist) {
  for (const int32_t zero_point : {0, -128, kMaxZeroPoint, -kMaxZeroPoint}) {
    PairedMatrix matrix = filled({11, 3, 4});
    ASSERT_TRUE(matrix.set_zero_point(zero_point));
    for (size_t row = 0; row < 16; ++row) {
      for (size_t segment = 0; segment < 3; ++segment)
        EXPECT_EQ(matrix.zero_points(row / 8)[segment * 8 + row % 8], row < 11 ? zero_point : 0);
    }
  }
}

TEST(PairedMatrix, GroupsHaveTheirOwnScalesAndZeroPoints) {
  PairedMatrix matrix = filled({11, 3, 4});
  std::vector<float> scales(33);
  std::iota(scales.begin(), scales.end(), 1.0f);
  std::vector<int32_t> zero_points(33);
  std::iota(zero_points.begin(), zero_points.end(), -16);
  ASSERT_TRUE(matrix.set_groups(scales, zero_points));
  for (size_t row = 0; row < 16; ++row) {
    for (size_t segment = 0; segment < 3; ++segment) {
      const size_t at = segment * 8 + row % 8;
      EXPECT_EQ(matrix.scales(row / 8)[at], row < 11 ? scales[row * 3 + segment] : 0);
      EXPECT_EQ(matrix.zero_points(row / 8)[at], row < 11 ? zero_points[row * 3 + segment] : 0);
    }
  }
  ASSERT_TRUE(matrix.set_groups(scales, {}));
  for (size_t i = 0; i < 24; ++i) EXPECT_EQ(matrix.zero_points(1)[i], 0);
}

TEST(PairedMatrix, ShapesThatDoNotFitAreErrors) {
  const std::vector<int8_t> row(12), short_row(11);
  PairedMatrix matrix(1, 3, 4);
  EXPECT_EQ(matrix.append_row(short_row).error().reason, Reason::mismatch);
  ASSERT_TRUE(matrix.append_row(row));
  EXPECT_EQ(matrix.append_row(row).error().reason, Reason::mismatch);

  EXPECT_EQ(matrix.set_zero_point(kMaxZeroPoint + 1).error().reason, Reason::limit);
  EXPECT_EQ(matrix.set_zero_point(INT32_MIN).error().reason, Reason::limit);
  const std::vector<float> scales(3), few_scales(2);
  const std::vector<int32_t> far = {0, -kMaxZeroPoint - 1, 0}, few(2);
  EXPECT_EQ(matrix.set_groups(few_scales, {}).error().reason, Reason::mismatch);
  EXPECT_EQ(matrix.set_groups(scales, few).error().reason, Reason::mismatch);
  EXPECT_EQ(matrix.set_groups(scales, far).error().reason, Reason::limit);
}

TEST(PairedMatrix, MemoryGrowsWithTheRowsUnlessItIsReserved) {
  const std::vector<int8_t> row(64);
  PairedMatrix growing(size_t{1} << 20, 1, row.size());
  ASSERT_TRUE(growing.append_row(row));
  EXPECT_EQ(growing.bytes(), 8 * row.size());

  PairedMatrix reserved(20, 1, row.size());
  ASSERT_TRUE(reserved.reserve());
  EXPECT_EQ(reserved.bytes(), 24 * row.size());
  for (size_t r = 0; r < 20; ++r) ASSERT_TRUE(reserved.append_row(row));
  EXPECT_EQ(reserved.bytes(), 24 * row.size());
}

TEST(PairedMatrix, LargerThanMemoryIsAnError) {
  PairedMatrix matrix(SIZE_MAX, SIZE_MAX / 2, SIZE_MAX);
  EXPECT_EQ(matrix.reserve().error().code, Code::memory);
  EXPECT_EQ(matrix.set_zero_point(1).error().code, Code::memory);
}

}  // namespace
}  // namespace quintet::test
