#pragma once
// What is read off the logits of one position.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace quintet {

struct Candidate {
  uint32_t id = 0;
  float logit = 0;
  double weight = 0;  // in proportion to its probability
};

// The order of choice: the higher logit first, of equal ones the lower id.
bool better(const Candidate& a, const Candidate& b);

// A logit may be -infinity, which says that the token cannot come; NaN and +infinity are INPUT.
Status check_logits(std::span<const float> logits);

// The `count` best, at least one, best first; fewer where others are -infinity. For a few of many: it looks at each
// logit once. Refuses what check_logits() refuses.
Status best_logits(std::span<const float> logits, size_t count, std::vector<Candidate>& best);

// ln of the sum of e^logit: a token's log-probability is its logit minus this. Requires a logit that is finite.
double log_sum_exp(std::span<const float> logits);

}  // namespace quintet
