#include "models/transformer/rope_angles.h"

#include <cmath>
#include <numbers>

namespace quintet {
namespace {

struct Rotation {
  double cosine, sine;
};

// The rotation by an angle, by the Taylor series of both functions, with an error of about 1e-16 times the angle: the
// error that the angle itself has. The C library's brings a table of 2/pi for angles of up to 2^16384, which is more to
// download than all of a model's other tables.
Rotation rotation(double angle) {
  constexpr int kTerms = 28;  // pi^28 / 28! is 3e-16
  constexpr double kTurn = 2 * std::numbers::pi;
  const double turns = angle / kTurn;
  const double x = kTurn * (turns - std::nearbyint(turns));
  double term = 1;                // x^n / n!
  double sums[4] = {1, 0, 0, 0};  // of the terms by n modulo 4
  for (int n = 1; n < kTerms; ++n) {
    term *= x / n;
    sums[n % 4] += term;
  }
  return {.cosine = sums[0] - sums[2], .sine = sums[1] - sums[3]};
}

}  // namespace

Status RopeAngles::reserve(size_t positions) {
  QUINTET_CHECK(cosines_.reserve(uint64_t{positions} * frequencies_.size()));
  return sines_.reserve(uint64_t{positions} * frequencies_.size());
}

void RopeAngles::append(size_t begin, size_t count) {
  float* cosine = cosines_.data() + count_ * pairs();
  float* sine = sines_.data() + count_ * pairs();
  count_ += count;
  for (size_t position = begin; position < begin + count; ++position) {
    for (const double frequency : frequencies_) {
      const Rotation rotated = rotation(static_cast<double>(position) * frequency);
      *cosine++ = static_cast<float>(scale_ * rotated.cosine);
      *sine++ = static_cast<float>(scale_ * rotated.sine);
    }
  }
}

}  // namespace quintet
