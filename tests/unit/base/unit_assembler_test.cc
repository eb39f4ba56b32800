#include "base/unit_assembler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace quintet {
namespace {

std::vector<int> numbers(size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

TEST(UnitAssembler, PassesOnWholeUnitsOnly) {
  const std::vector<int> all = numbers(23);
  for (size_t piece = 1; piece <= all.size(); ++piece) {
    UnitAssembler<int> assembler;
    std::vector<int> taken;
    for (size_t at = 0; at < all.size(); at += piece) {
      const auto fed = std::span(all).subspan(at, std::min(piece, all.size() - at));
      ASSERT_TRUE(assembler.feed(fed, 5, [&](std::span<const int> units) -> Status {
        EXPECT_FALSE(units.empty());
        EXPECT_EQ(units.size() % 5, 0u);
        taken.insert(taken.end(), units.begin(), units.end());
        return {};
      }));
    }
    EXPECT_EQ(taken, numbers(20)) << piece;
    EXPECT_EQ(std::vector<int>(assembler.partial().begin(), assembler.partial().end()), (std::vector<int>{20, 21, 22}));
  }
}

TEST(UnitAssembler, TakesUnitsWhereTheyAre) {
  const std::vector<int> all = numbers(12);
  UnitAssembler<int> assembler;
  ASSERT_TRUE(assembler.feed(std::span(all), 4, [&](std::span<const int> units) -> Status {
    EXPECT_EQ(units.data(), all.data());
    EXPECT_EQ(units.size(), 12u);
    return {};
  }));
}

// Units of 1, 2, 3, ... values.
TEST(UnitAssembler, AsksForTheSizeOfEachUnit) {
  const std::vector<int> all = numbers(15);
  for (size_t piece = 1; piece <= all.size(); ++piece) {
    UnitAssembler<int> assembler;
    size_t unit = 1;
    std::vector<int> first;
    for (size_t at = 0; at < all.size(); at += piece) {
      const auto fed = std::span(all).subspan(at, std::min(piece, all.size() - at));
      const auto take = [&](std::span<const int> begin) -> Result<size_t> {
        first.push_back(begin[0]);
        return unit++;
      };
      ASSERT_TRUE(assembler.feed_steps(fed, [&] { return unit; }, take));
    }
    EXPECT_EQ(first, (std::vector<int>{0, 1, 3, 6, 10})) << piece;
  }
}

TEST(UnitAssembler, StopsAtAnError) {
  const std::vector<int> all = numbers(9);
  UnitAssembler<int> assembler;
  const auto refuse = [](std::span<const int>) -> Status { return unsupported_error("no"); };
  EXPECT_TRUE(assembler.feed(std::span(all).first(2), 3, refuse));
  EXPECT_FALSE(assembler.feed(std::span(all).subspan(2), 3, refuse));
}

TEST(UnitAssembler, HoldsNoMoreThanArrived) {
  const std::vector<int> all = numbers(10);
  UnitAssembler<int> assembler;
  const auto never = [](std::span<const int>) -> Status { return unsupported_error("no"); };
  EXPECT_TRUE(assembler.feed(std::span(all), UINT64_MAX, never));
  EXPECT_EQ(assembler.partial().size(), 10u);
}

}  // namespace
}  // namespace quintet
