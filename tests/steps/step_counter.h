#pragma once
// How many steps the code under test has taken: each is a part of it without branches. The compiler counts them
// (-fsanitize-coverage=trace-pc), in this program only.

#include <cstdint>

namespace quintet::test {

uint64_t steps_taken();

}  // namespace quintet::test
