#include "tensor/packed/sum_centers.h"

#include <gtest/gtest.h>

#include "tensor/packed/packed_matrix.h"
#include "tests/kernels/random.h"

namespace quintet::testing {
namespace {

constexpr int kLargestMagnitude = 63;  // of an activation without its zero point

struct Matrix {
  Matrix(size_t output_count, size_t group_size, size_t group_count, std::vector<int8_t> values)
      : outputs(output_count),
        group(group_size),
        groups(group_count),
        weights(std::move(values)),
        packed(Storage::i8, outputs, groups * group, group) {
    EXPECT_TRUE(packed.append_rows(reinterpret_cast<const std::byte*>(weights.data()), outputs));
  }

  // Those of a block that are added in 16 bits. Zero beyond the outputs and the columns of a group.
  std::vector<int> added_weights(size_t output, size_t g, size_t block, size_t sum) const {
    std::vector<int> added;
    for (size_t quad = 4 * block; quad < 4 * block + 4; ++quad) {
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
  size_t wide = 0, narrow = 0;
};

bool is_wide_block(const SumCenters::Group& group, size_t block, size_t half) {
  return (group.wide[half][block / 64] >> block % 64 & 1) != 0;
}

// Four outputs of a block: either it is wide and has no center, which it must if a sum could not be exact, or every
// sum stays in 16 bits, for the activations that make it largest and for those that make it smallest.
void check_half(const Matrix& m, size_t panel, size_t g, size_t block, size_t half, std::vector<int>& starts,
                Seen& seen) {
  const SumCenters::Group group = m.packed.group_i8(panel, g).sums;
  const bool is_wide = is_wide_block(group, block, half);
  ++(is_wide ? seen.wide : seen.narrow);
  int largest_magnitudes = 0;
  for (size_t n = half * 4; n < half * 4 + 4; ++n) {
    for (size_t sum = 0; sum < 2; ++sum) {
      int center = 0, magnitudes = 0;
      for (const int weight : m.added_weights(panel * 8 + n, g, block, sum)) {
        center += kActivationZero * weight;
        magnitudes += std::abs(weight);
      }
      largest_magnitudes = std::max(largest_magnitudes, magnitudes);
      const int8_t units = group.centers[(block * 8 + n) * 2 + sum];
      if (is_wide) {
        ASSERT_EQ(units, 0);
        continue;
      }
      // The multiple of 256 next to the center that has these lower bits.
      const int offset = (-center & ~0xffff) + static_cast<uint8_t>(units) * 256;
      int nearest = offset;
      for (const int other : {offset - 0x10000, offset + 0x10000}) {
        if (std::abs(center + other) < std::abs(center + nearest)) nearest = other;
      }
      starts[n] -= nearest;
      ASSERT_LE(center + nearest + kLargestMagnitude * magnitudes, INT16_MAX);
      ASSERT_GE(center + nearest - kLargestMagnitude * magnitudes, INT16_MIN);
    }
  }
  // What is wide has magnitudes that leave less than the rounding of a center.
  if (is_wide) {
    ASSERT_GT(kLargestMagnitude * largest_magnitudes, INT16_MAX - 128);
  }
}

TEST(SumCenters, KeepSumsInSixteenBits) {
  Random random(1);
  Seen seen;
  for (const size_t outputs : {1, 4, 5, 8, 19}) {
    for (const size_t group : {1, 15, 16, 20, 64}) {
      for (const size_t groups : {1, 3}) {
        for (const int largest : {20, 64, 100, 127}) {
          const Matrix m(outputs, group, groups, random_weights(outputs * group * groups, largest, random));
          for (size_t p = 0; p < m.packed.panels(); ++p) {
            for (size_t g = 0; g < groups; ++g) {
              std::vector<int> starts(8);
              for (size_t block = 0; block < m.packed.group_quads() / 4; ++block) {
                for (size_t half = 0; half < 2; ++half) check_half(m, p, g, block, half, starts, seen);
              }
              const int32_t* const found = m.packed.group_i8(p, g).sums.starts;
              ASSERT_EQ(std::vector(found, found + 8), starts);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(seen.wide, 100u);
  EXPECT_GT(seen.narrow, 100u);
}

TEST(SumCenters, EightWeightsAreWideAbove518) {
  for (const int sign : {1, -1}) {
    for (const int last : {70, 71}) {
      std::vector<int8_t> weights(16);
      for (const size_t column : {0, 1, 4, 5, 8, 9, 12}) weights[column] = static_cast<int8_t>(sign * 64);
      weights[13] = static_cast<int8_t>(last);
      const Matrix m(1, 16, 1, weights);
      const SumCenters::Group group = m.packed.group_i8(0, 0).sums;
      EXPECT_EQ(is_wide_block(group, 0, 0), last == 71);
      EXPECT_FALSE(is_wide_block(group, 0, 1));
    }
  }
}

TEST(SumCenters, TheWeightsOfLowestValueAreWide) {
  const Matrix m(8, 16, 1, std::vector<int8_t>(8 * 16, -128));
  const SumCenters::Group group = m.packed.group_i8(0, 0).sums;
  for (size_t half = 0; half < 2; ++half) EXPECT_TRUE(is_wide_block(group, 0, half));
}

TEST(SumCenters, ABlockThatIsNotWholeCountsAsWide) {
  for (const size_t columns : {4, 17, 64 * 16 + 12}) {
    const Matrix m(8, columns, 1, std::vector<int8_t>(8 * columns, 1));
    const SumCenters::Group group = m.packed.group_i8(0, 0).sums;
    EXPECT_EQ(group.words, columns < 64 * 16 ? 1u : 2u);
    for (size_t half = 0; half < 2; ++half) {
      for (size_t block = 0; block < columns / 16; ++block) EXPECT_FALSE(is_wide_block(group, block, half));
      EXPECT_TRUE(is_wide_block(group, columns / 16, half));
    }
  }
}

}  // namespace
}  // namespace quintet::testing
