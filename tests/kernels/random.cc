#include "tests/kernels/random.h"

#include <cstdio>
#include <cstdlib>

namespace quintet::testing {

uint32_t seed() {
  static const uint32_t chosen = [] {
    const char* forced = std::getenv("QUINTET_TEST_SEED");
    const uint32_t value = forced ? static_cast<uint32_t>(std::strtoul(forced, nullptr, 10)) : std::random_device()();
    std::printf("QUINTET_TEST_SEED=%u\n", value);
    return value;
  }();
  return chosen;
}

}  // namespace quintet::testing
