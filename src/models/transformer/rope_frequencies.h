#pragma once
// The frequencies of rotary position embeddings, in radians per position: base^(-2i / rope_dim) for pair i, divided as
// the configuration scales positions.

#include <span>
#include <vector>

#include "architectures/transformer/config.h"

namespace quintet {

// `factors` [rope_dim / 2]: from the file; empty to use the configuration. None without rotation.
std::vector<double> rope_frequencies(const TransformerConfig& config, std::span<const float> factors = {});
// Those of layers with a window, in models in which these have their own: never scaled.
std::vector<double> local_rope_frequencies(const TransformerConfig& config);

}  // namespace quintet
