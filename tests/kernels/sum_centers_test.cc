#include "tensor/packed/sum_centers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tensor/packed/packed_matrix.h"
#include "tests/kernels/random.h"

namespace quintet::testing {
namespace {

struct Matrix {
  Matrix(size_t output_count, size_t group_size, size_t group_count, std::vector<int8_t> values)
      : outputs(output_count),
        group(group_size),
        groups(group_count),
        weights(std::move(values)),
        packed(Storage::i8, outputs, groups * group, group) {
    EXPECT_TRUE(packed.append_rows(reinterpret_cast<const std::byte*>(weights.data()), outputs));
  }

  // The sums of a block that are added in 16 bits. Zero beyond the outputs and the columns of a group.
  std::vector<int> added_weights(size_t output, size_t g, size_t block, size_t sum) const {
    std::vector<int> added;
    for (size_t quad = 8 * block; quad < 8 * block + 8; ++quad) {
      for (size_t column = 4 * quad + 2 * sum; column < 4 * quad + 2 * sum + 2; ++column) {
        const bool exists = output < outputs && column < group;
        added.push_back(exists ? weights[(output * groups + g) * group + column] : 0);
      }
    }
    return added;
  }

  size_t outputs, group, groups;
  std::vector<int8_t> weights;
  PackedMatrix packed;
};

std::vector<int8_t> random_weights(size_t count, int largest, Random& random) {
  std::vector<int8_t> weights(count);
  for (int8_t& weight : weights) weight = static_cast<int8_t>(random.integer(-largest - 1, largest));
  return weights;
}

// Counts how often either happens.
struct Seen {
  size_t with_centers = 0, without = 0;
};

// Either every sum has a center that is as near as it can be, or none has, which only is so if that of one would not
// fit a byte.
void check_block(const Matrix& m, size_t panel, size_t g, size_t block, std::vector<int>& starts, Seen& seen) {
  const SumCenters::Group group = m.packed.group_i8(panel, g).sums;
  const float squares = group.squares[block];
  const bool has_centers = std::isfinite(squares);
  ++(has_centers ? seen.with_centers : seen.without);
  int largest_squares = 0, largest_sum = 0;
  for (size_t n = 0; n < 8; ++n) {
    for (size_t sum = 0; sum < 2; ++sum) {
      int weights = 0, of_squares = 0;
      for (const int weight : m.added_weights(panel * 8 + n, g, block, sum)) {
        weights += weight;
        of_squares += weight * weight;
      }
      largest_squares = std::max(largest_squares, of_squares);
      largest_sum = std::max(largest_sum, std::abs(weights));
      const int center = group.centers[(block * 8 + n) * 2 + sum] * SumCenters::kUnit;
      starts[n] -= center;
      if (has_centers) {
        ASSERT_LE(std::abs(kActivationZero * weights + center), SumCenters::kUnit / 2);
      } else {
        ASSERT_EQ(center, 0);
      }
    }
  }
  if (has_centers) {
    ASSERT_GE(squares, static_cast<float>(largest_squares));
    ASSERT_LT(squares, static_cast<float>(largest_squares + 64));
  } else {
    ASSERT_GE(kActivationZero * largest_sum, 127 * SumCenters::kUnit);
  }
}

TEST(SumCenters, LargestSumsLeaveRoomForTheRoundingOfTheirCenters) {
  const double largest = std::sqrt(double{SumCenters::kMaxSquares} * (1 + 0x1p-23));
  EXPECT_LE(largest + SumCenters::kUnit / 2, INT16_MAX);
  EXPECT_GT(largest + SumCenters::kUnit / 2, INT16_MAX - 1);
}

TEST(SumCenters, AreNextToTheSumsOfTheWeights) {
  Random random(1);
  Seen seen;
  for (const size_t outputs : {1, 4, 5, 8, 19}) {
    for (const size_t group : {1, 31, 32, 40, 160}) {
      for (const size_t groups : {1, 3}) {
        for (const int largest : {20, 64, 100, 127}) {
          std::vector<int8_t> weights = random_weights(outputs * group * groups, largest, random);
          // The sums of such weights are large.
          if (largest == 64) {
            for (int8_t& weight : weights) weight = static_cast<int8_t>(63 + weight / 2);
          }
          const Matrix m(outputs, group, groups, weights);
          for (size_t p = 0; p < m.packed.panels(); ++p) {
            for (size_t g = 0; g < groups; ++g) {
              std::vector<int> starts(8);
              for (size_t block = 0; block < m.packed.group_quads() / 8; ++block) {
                check_block(m, p, g, block, starts, seen);
              }
              const int32_t* const found = m.packed.group_i8(p, g).sums.starts;
              ASSERT_EQ(std::vector(found, found + 8), starts);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(seen.with_centers, 100u);
  EXPECT_GT(seen.without, 100u);
}

TEST(SumCenters, TheWeightsOfLowestValueHaveNone) {
  const Matrix m(8, 32, 1, std::vector<int8_t>(8 * 32, -128));
  EXPECT_TRUE(std::isinf(m.packed.group_i8(0, 0).sums.squares[0]));
}

TEST(SumCenters, QuadsAfterTheLastWholeBlockCountOnlyInZeroTerms) {
  for (const size_t columns : {4, 33, 64}) {
    const Matrix m(8, columns, 1, std::vector<int8_t>(8 * columns, 1));
    const int32_t* const starts = m.packed.group_i8(0, 0).sums.starts;
    for (size_t n = 0; n < 8; ++n) {
      EXPECT_EQ(starts[n], static_cast<int32_t>(columns / 32) * 32 * kActivationZero);
      EXPECT_EQ(m.packed.zero_terms(0)[n], static_cast<int32_t>(columns) * kActivationZero);
    }
  }
}

}  // namespace
}  // namespace quintet::testing
