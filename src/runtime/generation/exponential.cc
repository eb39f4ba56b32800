#include "runtime/generation/exponential.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace quintet {

// x = k ln 2 + r with |r| <= ln(2) / 2, so that e^x = 2^k e^r (Cody and Waite 1980, "Software Manual for the Elementary
// Functions"). ln 2 is split, so that k times its first part is exact.
double exponential(double x) {
  if (!(x >= -708)) return 0;
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42fefa0000p-1;
  constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
  const double k = std::floor(x * kLog2E + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;

  // The series of e^r up to r^10.
  double sum = 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  sum = sum * r + 1;
  sum = sum * r + 1;
  return sum * std::bit_cast<double>(static_cast<uint64_t>(1023 + static_cast<int64_t>(k)) << 52);
}

}  // namespace quintet
