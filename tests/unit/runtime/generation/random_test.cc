// Against the numbers that the authors' own C code gives.
#include "runtime/generation/sampler.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(Random, SplitMixGivesThePublishedNumbers) {
  uint64_t state = 1234567;
  const uint64_t published[] = {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U,
                                16408922859458223821U};
  for (const uint64_t expected : published) EXPECT_EQ(split_mix(state), expected);
}

TEST(Random, XoshiroGivesThePublishedNumbers) {
  Random random(std::array<uint64_t, 4>{1, 2, 3, 4});
  const uint64_t published[] = {
      11520,
      0,
      1509978240,
      1215971899390074240,
      1216172134540287360,
      607988272756665600,
      16172922978634559625U,
      8476171486693032832,
      10595114339597558777U,
      2904607092377533576,
  };
  for (const uint64_t expected : published) EXPECT_EQ(random.next(), expected);
}

TEST(Random, ASeedFillsTheStateBySplitMix) {
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{42}, UINT64_MAX}) {
    uint64_t state = seed;
    std::array<uint64_t, 4> words;
    for (uint64_t& word : words) word = split_mix(state);
    Random seeded(seed), filled(words);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(seeded.next(), filled.next());
  }
}

TEST(Random, UnitIsTheTopBitsBelowOne) {
  Random bits(7), units(7);
  double sum = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double unit = units.unit();
    ASSERT_GE(unit, 0);
    ASSERT_LT(unit, 1);
    ASSERT_EQ(unit * 0x1p53, static_cast<double>(bits.next() >> 11));
    sum += unit;
  }
  // Six standard deviations.
  EXPECT_NEAR(sum / kDraws, 0.5, 6 * 0.2887 / 316.2);
}

}  // namespace
}  // namespace quintet
