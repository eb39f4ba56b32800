#pragma once
// Counts the steps of the code under test: each is a part of it without branches. The compiler inserts the counter
// (-fsanitize-coverage=trace-pc), in this program only.

#include <cstdint>

namespace quintet::test {

uint64_t steps_taken();

}  // namespace quintet::test
