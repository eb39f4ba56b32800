#include "models/decoder/rope.h"

#include <cmath>
#include <numbers>

namespace quintet::decoder {

namespace {

// The divisor of a frequency (transformers, modeling_rope_utils.py, _compute_llama3_parameters).
double llama3_factor(const Llama3Rope& rope, double frequency) {
  const double wavelength = 2 * std::numbers::pi / frequency;
  if (wavelength < rope.original_max_seq_len / rope.high_freq_factor) return 1;
  if (wavelength > rope.original_max_seq_len / rope.low_freq_factor) return rope.factor;
  const double smooth =
      (rope.original_max_seq_len / wavelength - rope.low_freq_factor) / (rope.high_freq_factor - rope.low_freq_factor);
  return 1 / ((1 - smooth) / rope.factor + smooth);
}

}  // namespace

RopeAngles::RopeAngles(const DecoderConfig& config, std::span<const float> factors)
    : frequencies_(config.is_rope ? static_cast<size_t>(config.rope_dim / 2) : 0),
      scale_(config.long_rope ? config.long_rope->attention_factor : 1) {
  for (size_t i = 0; i < frequencies_.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(config.rope_dim);
    const double frequency = std::pow(config.rope_freq_base, exponent);
    double divisor = config.rope_scaling;
    if (!factors.empty()) {
      divisor *= static_cast<double>(factors[i]);
    } else if (config.llama3_rope) {
      divisor *= llama3_factor(*config.llama3_rope, frequency);
    }
    frequencies_[i] = frequency / divisor;
  }
}

RopeAngles RopeAngles::local(const DecoderConfig& config, std::span<const float> factors) {
  if (config.local_rope_freq_base == 0) return RopeAngles(config, factors);
  DecoderConfig plain = config;
  plain.rope_freq_base = config.local_rope_freq_base;
  plain.rope_scaling = 1;
  plain.llama3_rope.reset();
  return RopeAngles(plain, {});
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
      *cosine++ = static_cast<float>(scale_ * std::cos(angle));
      *sine++ = static_cast<float>(scale_ * std::sin(angle));
    }
  }
}

}  // namespace quintet::decoder
