#include "models/decoder/rope.h"

#include <cmath>

namespace quintet::decoder {

RopeAngles::RopeAngles(const DecoderConfig& config)
    : frequencies_(config.is_rope ? static_cast<size_t>(config.rope_dim / 2) : 0) {
  for (size_t i = 0; i < frequencies_.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(config.rope_dim);
    frequencies_[i] = std::pow(config.rope_freq_base, exponent) / config.rope_scaling;
  }
}

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
      *cosine++ = static_cast<float>(std::cos(angle));
      *sine++ = static_cast<float>(std::sin(angle));
    }
  }
}

}  // namespace quintet::decoder
