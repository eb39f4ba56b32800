#include "base/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace quintet {
namespace {

TEST(FindDuplicate, PointsToTheLaterOne) {
  EXPECT_EQ(find_duplicate({}), std::nullopt);
  EXPECT_EQ(find_duplicate(std::array<std::string_view, 3>{"a", "b", ""}), std::nullopt);
  EXPECT_EQ(find_duplicate(std::array<std::string_view, 4>{"b", "a", "c", "a"}), 3u);
  EXPECT_EQ(find_duplicate(std::array<std::string_view, 2>{"", ""}), 1u);
}

TEST(HeapSort, SortsAsTheLibraryDoes) {
  std::mt19937 random(1);
  for (size_t count = 0; count < 100; ++count) {
    std::vector<uint32_t> numbers(count);
    for (uint32_t& number : numbers) number = static_cast<uint32_t>(random() % 50);
    std::vector<uint32_t> sorted = numbers;
    std::ranges::sort(sorted);
    heap_sort(numbers);
    EXPECT_EQ(numbers, sorted);
  }
}

TEST(HeapSort, ByAnOrderOfProjectedElements) {
  std::vector<std::pair<std::string, int>> pairs = {{"b", 2}, {"a", 3}, {"c", 1}};
  heap_sort(pairs, {}, &std::pair<std::string, int>::second);
  EXPECT_EQ(pairs.front().first, "c");
  heap_sort(pairs, std::ranges::greater(), &std::pair<std::string, int>::first);
  EXPECT_EQ(pairs, (std::vector<std::pair<std::string, int>>{{"c", 1}, {"b", 2}, {"a", 3}}));
}

}  // namespace
}  // namespace quintet
