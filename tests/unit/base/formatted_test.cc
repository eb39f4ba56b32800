#include "base/formatted.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.h"

namespace quintet {
namespace {

TEST(Formatted, FieldsBecomeNumbersAndTexts) {
  const std::string name = "long enough not to fit in the string itself";
  EXPECT_EQ(formatted("no field"), "no field");
  EXPECT_EQ(formatted("{}", "text"), "text");
  EXPECT_EQ(formatted("{} of {}: {}{}", 2u, size_t{3}, name, '!'), "2 of 3: " + name + "!");
  EXPECT_EQ(formatted("{}, {}", std::string_view("views").substr(0, 4), std::string("temporary")), "view, temporary");
}

TEST(Formatted, NumbersOfAllSizes) {
  EXPECT_EQ(formatted("{} {} {}", std::numeric_limits<uint64_t>::max(), std::numeric_limits<int64_t>::min(), 0),
            "18446744073709551615 -9223372036854775808 0");
  EXPECT_EQ(formatted("{} {}", int8_t{-1}, uint8_t{200}), "-1 200");
}

TEST(Formatted, OtherBracesAreText) {
  EXPECT_EQ(formatted("{ } {{}} [0-9]{1,{}}", 1, 5), "{ } {1} [0-9]{1,5}");
  EXPECT_EQ(formatted("{}", "{}"), "{}");
}

TEST(Formatted, DetailsOfErrors) {
  Failure failure = format_error(Reason::limit, 7, "{} bytes of {}", 5, "two");
  EXPECT_EQ(failure.error().detail, "5 bytes of two");
  EXPECT_EQ(failure.error().offset, 7u);
}

}  // namespace
}  // namespace quintet
