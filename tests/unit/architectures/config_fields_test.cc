#include "architectures/config_fields.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quintet {
namespace {

// Within a few digits of the last place of the C library's.
TEST(SmallPower, IsThatOfTheLibrary) {
  for (const double base : {0.25, 1.0, 2.0, 8.0, 1000.0, 1e6}) {
    for (const double width : {4.0, 64.0, 96.0, 128.0, 256.0}) {
      EXPECT_DOUBLE_EQ(small_power(base, 2 / width), std::pow(base, 2 / width)) << base << " " << width;
      EXPECT_DOUBLE_EQ(small_power(base, 2 / (width - 2)), std::pow(base, 2 / (width - 2))) << base << " " << width;
    }
  }
}

}  // namespace
}  // namespace quintet
