#include "tensor/codecs/group_size.h"

namespace quintet {

uint32_t nearest_divisor(uint32_t asked, uint32_t n) {
  if (asked >= n) return n;
  const auto divides = [n](uint32_t size) { return size != 0 && n % size == 0; };
  for (uint32_t distance = 0;; ++distance) {
    if (distance <= asked && divides(asked - distance)) return asked - distance;
    if (divides(asked + distance)) return asked + distance;
  }
}

}  // namespace quintet
