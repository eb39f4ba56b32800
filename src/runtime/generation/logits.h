#pragma once
// Evaluates the logits of one position.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace quintet {

// e^x for probabilities: bit-identical on every machine, and fast enough for whole vocabularies. Standard libraries
// differ in the last digit, which would change the text for a seed.
//
// For x <= 0, with a relative error below 1e-11; 0 below -708, where results would be subnormal.
//
// x = k ln 2 + r with |r| <= ln(2) / 2, so that e^x = 2^k e^r (Cody and Waite 1980, "Software Manual for the Elementary
// Functions"). ln 2 is split so that k times its first part is exact.
inline double exponential(double x) {
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42fefa0000p-1;
  constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
  // Adding it rounds to an integer, which is then in the lowest bits.
  constexpr double kRounder = 0x1.8p52;
  const double bounded = x >= -708 ? x : -708;
  const double rounded = bounded * kLog2E + kRounder;
  const double k = rounded - kRounder;
  const double r = (bounded - k * kLn2High) - k * kLn2Low;

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
  const double power = std::bit_cast<double>((std::bit_cast<uint64_t>(rounded) + 1023) << 52);
  return x >= -708 ? sum * power : 0;
}

struct Candidate {
  uint32_t id = 0;
  float logit = 0;
  double weight = 0;  // proportional to its probability
};

// The order of choice: the higher logit first; for equal ones the lower id.
bool better(const Candidate& a, const Candidate& b);

// A logit may be -infinity: the token cannot be chosen. NaN and +infinity are INPUT.
Status check_logits(std::span<const float> logits);

// The `count` best, at least one, best first; fewer if others are -infinity. Reads each logit once, for a small count.
// Rejects the same logits as check_logits().
Status best_logits(std::span<const float> logits, size_t count, std::vector<Candidate>& best);

// ln of the sum of e^logit: the log probability of a token is its logit minus this. Requires at least one finite logit.
double log_sum_exp(std::span<const float> logits);

}  // namespace quintet
