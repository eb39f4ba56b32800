#pragma once

#include <cstdint>
#include <vector>

namespace quintet {

// A truth value for each of several things. Not FlagList: single bits take more code than memory.
using FlagList = std::vector<uint8_t>;

}  // namespace quintet
