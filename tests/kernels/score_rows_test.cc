#include "kernels/score_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/aligned_buffer.h"
#include "tests/kernels/random.h"

namespace quintet::testing {
namespace {

constexpr size_t kCounts[] = {0, 1, 2, 3, 4, 5, 7, 8, 17, 33};

template <class T>
AlignedBuffer<T> filled(size_t count, Random& random, int lowest, int greatest) {
  AlignedBuffer<T> values;
  EXPECT_TRUE(values.resize(count));
  for (T& value : values.span()) value = static_cast<T>(random.integer(lowest, greatest));
  return values;
}

TEST(ScoreRows, FloatsEqualTheFormulaAndTheDefinitionBitForBit) {
  Random random(1);
  for (const size_t count : kCounts) {
    for (const size_t dimension : {4, 8, 20, 384}) {
      const auto query = filled<double>(dimension, random, -1000, 1000);
      const auto rows = filled<float>(count * dimension, random, -1000, 1000);
      std::vector<double> scores(count + 1, 7), definition(count);
      simd128::score_rows_f32(query.data(), rows.data(), count, dimension, scores.data());
      scalar::score_rows_f32(query.data(), rows.data(), count, dimension, definition.data());
      EXPECT_EQ(scores[count], 7);
      for (size_t i = 0; i < count; ++i) {
        double sum = 0;
        for (size_t j = 0; j < dimension; ++j) sum += query[j] * double{rows[i * dimension + j]};
        EXPECT_EQ(scores[i], definition[i]);
        EXPECT_EQ(scores[i], sum);  // integers below 2^53
      }
    }
  }
}

// Products of float32 are between 2^-298 and 2^256, and no more than 2^16 are added.
TEST(ScoreRows, FloatsOfAnySizeNeitherOverflowNorUnderflow) {
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr float kMin = std::numeric_limits<float>::denorm_min();
  alignas(16) const float large[] = {kMax, kMax, kMax, kMax, kMax, kMax, kMax, kMax};
  alignas(16) const float opposed[] = {kMax, -kMax, kMax, -kMax, -kMax, kMax, -kMax, kMax};
  alignas(16) const float tiny[] = {kMin, kMin, kMin, kMin, kMin, kMin, kMin, -kMin};
  alignas(16) float rows[24];
  std::copy(std::begin(large), std::end(large), rows);
  std::copy(std::begin(opposed), std::end(opposed), rows + 8);
  std::copy(std::begin(tiny), std::end(tiny), rows + 16);
  const double max = (2 - 0x1p-23) * 0x1p127;
  alignas(16) double large_query[8], tiny_query[8];
  std::copy(std::begin(large), std::end(large), large_query);
  std::copy(std::begin(tiny), std::end(tiny), tiny_query);
  for (const auto score : {scalar::score_rows_f32, simd128::score_rows_f32}) {
    double scores[3];
    score(large_query, rows, 3, 8, scores);
    EXPECT_EQ(scores[0], 8 * max * max);
    EXPECT_EQ(scores[1], 0);
    EXPECT_EQ(scores[2], 6 * max * 0x1p-149);
    score(tiny_query, rows, 3, 8, scores);
    EXPECT_EQ(scores[0], 6 * max * 0x1p-149);
    EXPECT_EQ(scores[1], -2 * max * 0x1p-149);
    EXPECT_EQ(scores[2], 8 * 0x1p-298);
  }
}

TEST(ScoreRows, IntegersAreExact) {
  Random random(2);
  for (const size_t count : kCounts) {
    for (const size_t dimension : {16, 48, 384}) {
      for (const int max : {128, 127, 3}) {
        const auto query = filled<int8_t>(dimension, random, -max, max == 128 ? -max : max);
        const auto rows = filled<int8_t>(count * dimension, random, -max, max == 128 ? -max : max);
        std::vector<int32_t> scores(count + 1, 7), definition(count);
        simd128::score_rows_i8(query.data(), rows.data(), count, dimension, scores.data());
        scalar::score_rows_i8(query.data(), rows.data(), count, dimension, definition.data());
        EXPECT_EQ(scores[count], 7);
        for (size_t i = 0; i < count; ++i) {
          int64_t sum = 0;
          for (size_t j = 0; j < dimension; ++j) sum += int64_t{query[j]} * rows[i * dimension + j];
          EXPECT_EQ(scores[i], sum);
          EXPECT_EQ(definition[i], sum);
        }
      }
    }
  }
}

TEST(ScoreRows, BitsThatDifferAreCounted) {
  Random random(3);
  for (const size_t count : kCounts) {
    for (const size_t bytes : {16, 48, 96}) {
      const auto query = filled<uint8_t>(bytes, random, 0, 255);
      const auto rows = filled<uint8_t>(count * bytes, random, 0, 255);
      std::vector<int32_t> scores(count + 1, 7), definition(count);
      simd128::score_rows_binary(query.data(), rows.data(), count, bytes, scores.data());
      scalar::score_rows_binary(query.data(), rows.data(), count, bytes, definition.data());
      EXPECT_EQ(scores[count], 7);
      for (size_t i = 0; i < count; ++i) {
        int differing = 0;
        for (size_t bit = 0; bit < 8 * bytes; ++bit) {
          differing += ((query[bit / 8] ^ rows[i * bytes + bit / 8]) >> (bit % 8)) & 1;
        }
        EXPECT_EQ(scores[i], differing);
        EXPECT_EQ(definition[i], differing);
      }
    }
  }
}

}  // namespace
}  // namespace quintet::testing
