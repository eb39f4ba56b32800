#include "base/power.h"

#include <cmath>
#include <cstdint>

namespace quintet {

// The binary digits of the exponent before the point select squares of the base, squares of these, and so on; those
// after the point select square roots.
double power(double base, double exponent) {
  if (exponent < 0) return 1 / power(base, -exponent);
  double result = 1;
  const auto whole = static_cast<uint64_t>(exponent);
  double square = base;
  for (uint64_t digits = whole; digits != 0; digits /= 2, square *= square) {
    if (digits % 2 != 0) result *= square;
  }
  double fraction = exponent - static_cast<double>(whole);
  for (double root = std::sqrt(base); fraction > 0; root = std::sqrt(root)) {
    fraction *= 2;
    if (fraction < 1) continue;
    result *= root;
    fraction -= 1;
  }
  return result;
}

}  // namespace quintet
