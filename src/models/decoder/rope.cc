#include "models/decoder/rope.h"

#include "models/transformer/rope_frequencies.h"

namespace quintet::decoder {

namespace {

double scale_of(const DecoderConfig& config) {
  if (config.yarn_rope) return config.yarn_rope->attention_factor;
  return config.long_rope ? config.long_rope->attention_factor : 1;
}

}  // namespace

RopeAngles rope_angles(const DecoderConfig& config, std::span<const float> factors) {
  return RopeAngles(rope_frequencies(config, factors), scale_of(config));
}

RopeAngles local_rope_angles(const DecoderConfig& config, std::span<const float> factors) {
  if (!config.has_local_rope()) return rope_angles(config, factors);
  return RopeAngles(local_rope_frequencies(config), config.long_rope ? config.long_rope->attention_factor : 1);
}

}  // namespace quintet::decoder
