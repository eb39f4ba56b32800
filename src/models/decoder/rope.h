#pragma once
// The rotary position embeddings of a decoder: position p rotates pair i by p / scaling * base^(-2i / rope_dim). With
// longrope and YaRN, cosines and sines are multiplied by the attention factor.

#include <span>

#include "architectures/decoder/config.h"
#include "models/transformer/rope_angles.h"

namespace quintet::decoder {

// `factors` [rope_dim / 2]: from the file; empty to use the configuration.
RopeAngles rope_angles(const DecoderConfig& config, std::span<const float> factors);
// The angles of layers with a sliding window.
RopeAngles local_rope_angles(const DecoderConfig& config, std::span<const float> factors);

}  // namespace quintet::decoder
