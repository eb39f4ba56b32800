#include "base/string_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quintet {
namespace {

TEST(StringTable, ReturnsTheAddedStrings) {
  const std::vector<std::string> strings = {"",    "a", std::string("nul\0inside", 10), "", std::string(70000, 'x'),
                                            "last"};
  StringTable table;
  EXPECT_TRUE(table.empty());
  for (const std::string& string : strings) ASSERT_TRUE(table.add(string));
  ASSERT_EQ(table.size(), strings.size());
  for (size_t i = 0; i < strings.size(); ++i) EXPECT_EQ(table[i], strings[i]);
}

TEST(StringTable, TakesFourBytesMoreThanEachString) {
  StringTable table;
  table.reserve(1000, 5000);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(table.add("token"));
  EXPECT_LE(table.memory_bytes(), 5000 + 1000 * sizeof(uint32_t) + 64);
}

}  // namespace
}  // namespace quintet
