#pragma once
// A second sampling chain, written plainly from its description: the probabilities that tokens are drawn with.

#include <cstdint>
#include <map>
#include <set>
#include <span>

#include "runtime/generation/generation_options.h"

namespace quintet::test {

// `breakers`: the tokens at which DRY's sequences end.
std::map<uint32_t, double> plain_distribution(std::span<const float> logits, std::span<const uint32_t> tokens,
                                              const SamplingOptions& options, const std::set<uint32_t>& breakers = {});

}  // namespace quintet::test
