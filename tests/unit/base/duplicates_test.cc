#include "base/order.h"

#include <gtest/gtest.h>

#include <array>

namespace quintet {
namespace {

TEST(FindDuplicate, PointsAtTheLaterOne) {
  EXPECT_EQ(find_duplicate({}), std::nullopt);
  EXPECT_EQ(find_duplicate(std::array<std::string_view, 3>{"a", "b", ""}), std::nullopt);
  EXPECT_EQ(find_duplicate(std::array<std::string_view, 4>{"b", "a", "c", "a"}), 3u);
  EXPECT_EQ(find_duplicate(std::array<std::string_view, 2>{"", ""}), 1u);
}

}  // namespace
}  // namespace quintet
