#include "models/decoder/rope.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

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

RopeAngles rope_angles(const DecoderConfig& config, std::span<const float> factors) {
  std::vector<double> frequencies(config.is_rope ? static_cast<size_t>(config.rope_dim / 2) : 0);
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(config.rope_dim);
    const double frequency = std::pow(config.rope_freq_base, exponent);
    double divisor = config.rope_scaling;
    if (!factors.empty()) {
      divisor *= static_cast<double>(factors[i]);
    } else if (config.llama3_rope) {
      divisor *= llama3_factor(*config.llama3_rope, frequency);
    }
    frequencies[i] = frequency / divisor;
  }
  return RopeAngles(std::move(frequencies), config.long_rope ? config.long_rope->attention_factor : 1);
}

RopeAngles local_rope_angles(const DecoderConfig& config, std::span<const float> factors) {
  if (config.local_rope_freq_base == 0) return rope_angles(config, factors);
  DecoderConfig plain = config;
  plain.rope_freq_base = config.local_rope_freq_base;
  plain.rope_scaling = 1;
  plain.llama3_rope.reset();
  return rope_angles(plain, {});
}

}  // namespace quintet::decoder
