#include "models/decoder/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "base/power.h"

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

// The pair that turns this often within the original length (arXiv:2309.00071, equations 15 to 17).
double pair_of_turns(const DecoderConfig& config, double turns) {
  const auto length = static_cast<double>(config.yarn_rope->original_max_seq_len);
  const auto width = static_cast<double>(config.rope_dim);
  return width * std::log(length / (2 * std::numbers::pi * turns)) / (2 * std::log(config.rope_freq_base));
}

// The divisor of a frequency, with the bounds as whole numbers (transformers, modeling_rope_utils.py,
// _compute_yarn_parameters).
double yarn_factor(const DecoderConfig& config, size_t pair) {
  const YarnRope& rope = *config.yarn_rope;
  constexpr double kNarrowest = 0.001;
  const double low = std::max(0.0, std::floor(pair_of_turns(config, rope.beta_fast)));
  const double last = static_cast<double>(config.rope_dim) - 1;
  const double high = std::min(last, std::ceil(pair_of_turns(config, rope.beta_slow)));
  const double ramp = (static_cast<double>(pair) - low) / std::max(kNarrowest, high - low);
  const double interpolated = std::clamp(ramp, 0.0, 1.0);
  return 1 / (interpolated / rope.factor + 1 - interpolated);
}

double scale_of(const DecoderConfig& config) {
  if (config.yarn_rope) return config.yarn_rope->attention_factor;
  return config.long_rope ? config.long_rope->attention_factor : 1;
}

}  // namespace

RopeAngles rope_angles(const DecoderConfig& config, std::span<const float> factors) {
  std::vector<double> frequencies(config.is_rope ? static_cast<size_t>(config.rope_dim / 2) : 0);
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(config.rope_dim);
    const double frequency = power(config.rope_freq_base, exponent);
    double divisor = config.rope_scaling;
    if (!factors.empty()) {
      divisor *= static_cast<double>(factors[i]);
    } else if (config.llama3_rope) {
      divisor *= llama3_factor(*config.llama3_rope, frequency);
    }
    if (config.yarn_rope) divisor *= yarn_factor(config, i);
    const bool is_rotated = config.rope_rotated_pairs == 0 || i < config.rope_rotated_pairs;
    frequencies[i] = is_rotated ? frequency / divisor : 0;
  }
  return RopeAngles(std::move(frequencies), scale_of(config));
}

RopeAngles local_rope_angles(const DecoderConfig& config, std::span<const float> factors) {
  if (!config.has_local_rope()) return rope_angles(config, factors);
  DecoderConfig plain = config;
  if (config.local_rope_freq_base != 0) plain.rope_freq_base = config.local_rope_freq_base;
  if (config.local_rope_dim != 0) plain.rope_dim = config.local_rope_dim;
  plain.rope_rotated_pairs = 0;
  plain.rope_scaling = 1;
  plain.llama3_rope.reset();
  plain.yarn_rope.reset();
  return rope_angles(plain, {});
}

}  // namespace quintet::decoder
