#include "tensor/finite.h"

#include <bit>
#include <cstdint>

namespace quintet {

// Not finite means that all bits of the exponent are set: only then does adding one to it reach the (cleared) sign.
bool all_finite(std::span<const float> values) {
  constexpr uint32_t kMagnitude = 0x7FFFFFFF, kExponentOne = 0x00800000, kSign = 0x80000000;
  uint32_t reached = 0;
  for (const float value : values) reached |= (std::bit_cast<uint32_t>(value) & kMagnitude) + kExponentOne;
  return (reached & kSign) == 0;
}

}  // namespace quintet
