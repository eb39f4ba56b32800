#pragma once
// Whether numbers are numbers.

#include <span>

namespace quintet {

// No NaN and no infinity among the values. This runs over the logits of every token.
bool all_finite(std::span<const float> values);

}  // namespace quintet
