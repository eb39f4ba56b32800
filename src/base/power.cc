#include "base/power.h"

#include <cmath>
#include <cstdint>
#include <numbers>

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

// The mantissa m adds the series 2 (t + t^3 / 3 + t^5 / 5 + ...) with t = (m - 1) / (m + 1), at least -1/3.
double natural_log(double x) {
  constexpr int kTerms = 40;  // 3^-40 / 40 is 2e-21
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  const double t = (mantissa - 1) / (mantissa + 1);
  double sum = 0, term = 2 * t;
  for (int n = 1; n < kTerms; n += 2, term *= t * t) sum += term / n;
  return exponent * std::numbers::ln2 + sum;
}

}  // namespace quintet
