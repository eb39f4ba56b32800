#include "models/rope_angles.h"

#include <cmath>

namespace quintet {

Status RopeAngles::reserve(size_t positions) {
  QUINTET_CHECK(cosines_.reserve(uint64_t{positions} * frequencies_.size()));
  return sines_.reserve(uint64_t{positions} * frequencies_.size());
}

void RopeAngles::set(size_t begin, size_t count) {
  float* cosine = cosines_.data();
  float* sine = sines_.data();
  for (size_t position = begin; position < begin + count; ++position) {
    for (const double frequency : frequencies_) {
      const double angle = static_cast<double>(position) * frequency;
      *cosine++ = static_cast<float>(scale_ * std::cos(angle));
      *sine++ = static_cast<float>(scale_ * std::sin(angle));
    }
  }
}

}  // namespace quintet
