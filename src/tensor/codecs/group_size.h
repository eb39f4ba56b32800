#pragma once
// Group sizes of dynamically quantized networks.

#include <cstdint>

namespace quintet {

// The divisor of n nearest to `asked`, the smaller of two equally near ones (RULINGS "tinyRuntime" 4). Requires n >= 1.
uint32_t nearest_divisor(uint32_t asked, uint32_t n);

}  // namespace quintet
