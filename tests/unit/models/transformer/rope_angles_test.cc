// The angles of rotary positions, compared with sines and cosines of the C library.

#include "models/transformer/rope_angles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace quintet {
namespace {

// Positions of short and long contexts. `scale` is that of longrope.
TEST(RopeAngles, AreThoseOfTheCLibrary) {
  const std::vector<double> frequencies = {1, 0.7, 1.0 / 3, 0.0123, 1e-4, 1e-7, 40};
  constexpr double kScale = 1.19;
  RopeAngles angles(frequencies, kScale);
  for (const size_t begin : {size_t{0}, size_t{4'000}, size_t{131'072}, size_t{10'000'000}}) {
    constexpr size_t kCount = 500;
    ASSERT_TRUE(angles.reserve(kCount));
    angles.set(begin, kCount);
    for (size_t i = 0; i < kCount; ++i) {
      for (size_t pair = 0; pair < frequencies.size(); ++pair) {
        const double angle = static_cast<double>(begin + i) * frequencies[pair];
        // Half a unit in the last place of a float below 2, and the rounding of the number of turns.
        const double allowed = 0x1p-24 + angle * 0x1p-51;
        ASSERT_NEAR(angles.cosines(i)[pair], kScale * std::cos(angle), allowed) << begin + i;
        ASSERT_NEAR(angles.sines(i)[pair], kScale * std::sin(angle), allowed) << begin + i;
      }
    }
  }
}

TEST(RopeAngles, AreFiniteForAnyAngle) {
  RopeAngles angles({1e300});
  ASSERT_TRUE(angles.reserve(1));
  angles.set(99, 1);
  EXPECT_LE(std::abs(angles.cosines(0)[0]), 1);
  EXPECT_LE(std::abs(angles.sines(0)[0]), 1);
}

}  // namespace
}  // namespace quintet
