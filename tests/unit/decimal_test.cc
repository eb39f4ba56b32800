// Against the C library's strtod, which is correctly rounded here.

#include "base/decimal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace quintet {
namespace {

void expect_correct(const std::string& text) {
  const double expected = std::strtod(text.c_str(), nullptr);
  const auto value = double_of_decimal(text);
  if (std::isinf(expected)) {
    EXPECT_FALSE(value) << text;
  } else {
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(std::bit_cast<uint64_t>(*value), std::bit_cast<uint64_t>(expected)) << text;
  }
}

TEST(Decimal, CommonNumbers) {
  for (const char* text : {"0", "-0", "0.0", "-0.0e5", "0e-30", "0.000e400", "1", "-1.5", "0.1", "1e-12", "1E+5", "1e22",
                           "1e23", "123456789012345678", "0.3", "2.5", "1e-22", "100000000000000000000000"}) {
    expect_correct(text);
  }
}

TEST(Decimal, EndsOfTheRange) {
  for (const char* text : {"1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1.8e308", "2e308",
                           "1e309", "1e99999999999", "-1e400", "2.2250738585072014e-308", "2.2250738585072011e-308",
                           "4.9406564584124654e-324", "5e-324", "4e-324", "2.4703282292062328e-324",
                           "2.4703282292062327e-324", "3e-324", "4e-325", "1e-400", "1e-99999999999"}) {
    expect_correct(text);
  }
}

TEST(Decimal, MiddlesBetweenNeighbours) {
  for (const char* text :
       {"9007199254740993", "9007199254740993.0000000000000000000000000000000000000000001", "9007199254740992.9999999999",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "0.500000000000000166533453693773481063544750213623046875"}) {
    expect_correct(text);
  }
}

TEST(Decimal, MoreDigitsThanAnyDoubleNeeds) {
  const std::string middle = "1.00000000000000011102230246251565404236316680908203125";
  expect_correct(middle + std::string(1000, '0'));
  expect_correct(middle + std::string(1000, '0') + "1");
  expect_correct("0." + std::string(1000, '0') + "1");
  expect_correct(std::string(300, '9'));
  expect_correct(std::string(1000, '9') + "e-900");
  expect_correct("0." + std::string(400, '0') + "123456789e400");
}

TEST(Decimal, EveryDoubleComesBackFromItsSeventeenDigits) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    char text[40];
    std::snprintf(text, sizeof(text), "%.17g", value);
    const auto back = double_of_decimal(text);
    ASSERT_TRUE(back);
    EXPECT_EQ(std::bit_cast<uint64_t>(*back), std::bit_cast<uint64_t>(value)) << text;
  }
}

TEST(Decimal, RandomTexts) {
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(random() % 10);
    const size_t digits = random() % 30;
    text += ".";
    for (size_t d = 0; d <= digits; ++d) text += static_cast<char>('0' + random() % 10);
    text += "e" + std::to_string(static_cast<int>(random() % 660) - 340);
    expect_correct(text);
  }
}

}  // namespace
}  // namespace quintet
