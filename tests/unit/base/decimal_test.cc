#include "base/decimal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace quintet {
namespace {

// The C library rounds correctly.
void expect_as_strtod(const std::string& text) {
  const double expected = std::strtod(text.c_str(), nullptr);
  EXPECT_EQ(std::bit_cast<uint64_t>(parse_decimal(text)), std::bit_cast<uint64_t>(expected)) << text;
}

TEST(ParseDecimal, EndsOfTheRange) {
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "-0.0e5",
                           "1",
                           "-1",
                           "10",
                           "0.1",
                           "0.5",
                           "1e0",
                           "1E+2",
                           "1e-2",
                           "123456789012345678901234567890",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e308",
                           "1e309",
                           "-1e309",
                           "2.2250738585072014e-308",
                           "2.2250738585072011e-308",
                           "4.9406564584124654e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1e-323",
                           "1e-324",
                           "1e-400",
                           "1e400",
                           "1e-99999999999999999999",
                           "1e99999999999999999999",
                           "0e99999999999999999999",
                           "9007199254740993",
                           "9007199254740991.5",
                           "9007199254740992.5",
                           "0.000000000000000000001"}) {
    expect_as_strtod(text);
  }
}

TEST(ParseDecimal, MiddlesBetweenDoubles) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    // Below 2^971 doubles in this range are integers that long double arithmetic of 64 bits halves exactly.
    const double a = std::bit_cast<double>((random() & 0x000FFFFFFFFFFFFF) | (uint64_t{1023 + random() % 60} << 52));
    const long double middle = (static_cast<long double>(a) + std::nextafter(a, 1e300)) / 2;
    char text[128];
    std::snprintf(text, sizeof(text), "%.80Lf", middle);
    expect_as_strtod(text);
    expect_as_strtod(std::string(text) + "00000000000000000000000000000000001");
  }
}

TEST(ParseDecimal, RandomDoublesInAllLengths) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    char text[1200];
    std::snprintf(text, sizeof(text), "%.*e", static_cast<int>(random() % 40), value);
    expect_as_strtod(text);
    if (i % 50 == 0) {
      std::snprintf(text, sizeof(text), "%.1000e", value);
      expect_as_strtod(text);
    }
  }
}

TEST(ParseDecimal, MoreDigitsThanCount) {
  const std::string zeros(1000, '0'), nines(1000, '9');
  expect_as_strtod("0." + zeros + "1");
  expect_as_strtod("1" + zeros + "e-1000");
  expect_as_strtod("0." + nines);
  expect_as_strtod(nines + "e-1000");
  expect_as_strtod("9007199254740993." + zeros + "1");
  expect_as_strtod("9007199254740993." + zeros);
}

// The C library prints any number of digits correctly rounded.
size_t fewest_digits(double value) {
  for (int digits = 1;; ++digits) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.*e", digits - 1, value);
    if (std::strtod(text, nullptr) == value) return static_cast<size_t>(digits);
  }
}

size_t digits_of(std::string text) {
  text = text.substr(0, text.find('e'));
  std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
  text.erase(0, text.find_first_not_of('0'));
  return text.find_last_not_of('0') + 1;
}

void expect_shortest(double value) {
  const std::string text = write_decimal(value);
  EXPECT_EQ(std::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr)), std::bit_cast<uint64_t>(value)) << text;
  // Near a power of two there may be fewer digits than the nearest number of that length has.
  EXPECT_LE(digits_of(text), fewest_digits(value)) << text;
}

TEST(WriteDecimal, ShortestOfRandomDoubles) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) expect_shortest(value);
    // Numbers that occur in files.
    expect_shortest(static_cast<float>(static_cast<double>(random() % 1000000) * 1e-6));
    expect_shortest(static_cast<double>(random() % 100000) / 1000 + 0.001);
  }
}

TEST(WriteDecimal, PowersOfTwo) {
  for (int exponent = -1074; exponent < 1024; ++exponent) expect_shortest(std::ldexp(1, exponent));
  for (int exponent = -1073; exponent < 1024; ++exponent) {
    expect_shortest(std::nextafter(std::ldexp(1, exponent), 0));
  }
}

TEST(WriteDecimal, Forms) {
  EXPECT_EQ(write_decimal(0), "0.0");
  EXPECT_EQ(write_decimal(-0.0), "-0.0");
  EXPECT_EQ(write_decimal(1), "1.0");
  EXPECT_EQ(write_decimal(-10000), "-10000.0");
  EXPECT_EQ(write_decimal(12.5), "12.5");
  EXPECT_EQ(write_decimal(1e20), "100000000000000000000.0");
  EXPECT_EQ(write_decimal(1e21), "1e21");
  EXPECT_EQ(write_decimal(1e23), "1e23");
  EXPECT_EQ(write_decimal(9007199254740992), "9007199254740992.0");
  EXPECT_EQ(write_decimal(1.25e30), "1.25e30");
  EXPECT_EQ(write_decimal(0.1), "0.1");
  EXPECT_EQ(write_decimal(1e-5), "0.00001");
  EXPECT_EQ(write_decimal(0.0000015), "0.0000015");
  EXPECT_EQ(write_decimal(1e-7), "1e-7");
  EXPECT_EQ(write_decimal(1.7976931348623157e308), "1.7976931348623157e308");
  EXPECT_EQ(write_decimal(5e-324), "5e-324");
  EXPECT_EQ(write_decimal(123456789.123456789), "123456789.12345679");
}

TEST(ParseNatural, OnlyDigits) {
  EXPECT_EQ(parse_natural("0"), 0u);
  EXPECT_EQ(parse_natural("007"), 7u);
  EXPECT_EQ(parse_natural("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "a", "18446744073709551616", "99999999999999999999"}) {
    EXPECT_EQ(parse_natural(text), std::nullopt) << text;
  }
}

TEST(LeadingNumber, EndsAtTheFirstOtherCharacter) {
  const auto number = leading_number("12.weight");
  ASSERT_TRUE(number);
  EXPECT_EQ(number->value, 12u);
  EXPECT_EQ(number->digits, 2u);
  EXPECT_FALSE(leading_number("weight.12"));
}

TEST(WriteNatural, HasTheDigitsOfTheStandardLibrary) {
  for (uint64_t number = 1; number < UINT64_MAX / 7; number *= 7) {
    EXPECT_EQ(write_natural(number), std::to_string(number));
    EXPECT_EQ(write_integer(-static_cast<int64_t>(number)), "-" + std::to_string(number));
  }
  EXPECT_EQ(write_natural(0), "0");
  EXPECT_EQ(write_natural(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(write_integer(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(write_integer(100), "100");
}

}  // namespace
}  // namespace quintet
