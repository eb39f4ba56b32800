#include "models/transformer/rope_frequencies.h"

#include <algorithm>
#include <numbers>

#include "base/power.h"

namespace quintet {
namespace {

// The divisor of a frequency between one that is kept, at 0, and one that is divided by `factor`, at 1.
double divisor_at(double place, double factor) {
  const double interpolated = std::clamp(place, 0.0, 1.0);
  return 1 / (interpolated / factor + 1 - interpolated);
}

// Scales by the turns within the original length (transformers, modeling_rope_utils.py, _compute_llama3_parameters).
double llama3_divisor(const Llama3Rope& rope, double frequency) {
  const double turns = rope.original_max_seq_len * frequency / (2 * std::numbers::pi);
  return divisor_at((rope.high_freq_factor - turns) / (rope.high_freq_factor - rope.low_freq_factor), rope.factor);
}

// The number of pairs that turn more often than this within the original length, if there are at most `limit`.
double pairs_above(const TransformerConfig& config, double turns, double limit) {
  const auto length = static_cast<double>(config.yarn_rope->original_max_seq_len);
  const double step = power(config.rope_freq_base, -2 / static_cast<double>(config.rope_dim));
  double pairs = 0;
  for (double frequency = 1; pairs < limit && length * frequency > 2 * std::numbers::pi * turns; frequency *= step) {
    ++pairs;
  }
  return pairs;
}

// Between the last pair that is faster than `beta_fast`, and the first that is slower than `beta_slow`
// (arXiv:2309.00071, equations 15 to 17, with whole numbers as in transformers, modeling_rope_utils.py,
// _compute_yarn_parameters).
double yarn_divisor(const TransformerConfig& config, size_t pair) {
  const YarnRope& rope = *config.yarn_rope;
  constexpr double kNarrowest = 0.001;
  const double last = static_cast<double>(config.rope_dim) - 1;
  const double low = std::max(0.0, pairs_above(config, rope.beta_fast, last) - 1);
  const double high = pairs_above(config, rope.beta_slow, last);
  return divisor_at((static_cast<double>(pair) - low) / std::max(kNarrowest, high - low), rope.factor);
}

std::vector<double> plain_frequencies(double base, uint64_t width) {
  std::vector<double> frequencies(static_cast<size_t>(width / 2));
  for (size_t i = 0; i < frequencies.size(); ++i) {
    frequencies[i] = power(base, -2.0 * static_cast<double>(i) / static_cast<double>(width));
  }
  return frequencies;
}

}  // namespace

std::vector<double> rope_frequencies(const TransformerConfig& config, std::span<const float> factors) {
  if (!config.is_rope) return {};
  std::vector<double> frequencies = plain_frequencies(config.rope_freq_base, config.rope_dim);
  for (size_t i = 0; i < frequencies.size(); ++i) {
    double divisor = config.rope_scaling;
    if (!factors.empty()) {
      divisor *= static_cast<double>(factors[i]);
    } else if (config.llama3_rope) {
      divisor *= llama3_divisor(*config.llama3_rope, frequencies[i]);
    }
    if (config.yarn_rope) divisor *= yarn_divisor(config, i);
    const bool is_rotated = config.rope_rotated_pairs == 0 || i < config.rope_rotated_pairs;
    frequencies[i] = is_rotated ? frequencies[i] / divisor : 0;
  }
  return frequencies;
}

std::vector<double> local_rope_frequencies(const TransformerConfig& config) {
  if (!config.is_rope) return {};
  return plain_frequencies(config.local_rope_freq_base == 0 ? config.rope_freq_base : config.local_rope_freq_base,
                           config.local_rope_dim == 0 ? config.rope_dim : config.local_rope_dim);
}

}  // namespace quintet
