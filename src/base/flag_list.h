#pragma once

#include <cstdint>
#include <vector>

namespace quintet {

// One flag each for several things. Bytes, because the single bits of std::vector<bool> cost more code than they save
// memory.
using FlagList = std::vector<uint8_t>;

}  // namespace quintet
