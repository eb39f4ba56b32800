#include "runtime/generation/logits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "runtime/generation/exponential.h"

namespace quintet {

bool better(const Candidate& a, const Candidate& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
}

Status check_logits(std::span<const float> logits) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (size_t id = 0; id < logits.size(); ++id) {
    if (logits[id] < kInfinity) continue;  // false for NaN, too
    return input_error(Reason::out_of_range, "the logit of token " + std::to_string(id) + " is not a number");
  }
  return {};
}

// A heap of the best so far, the worst of them in front.
void best_logits(std::span<const float> logits, size_t count, std::vector<Candidate>& best) {
  best.clear();
  if (count == 0) return;
  float bound = -std::numeric_limits<float>::infinity();
  for (size_t id = 0; id < logits.size(); ++id) {
    // An equal logit of a higher id is not better.
    if (logits[id] <= bound) continue;
    if (best.size() == count) {
      std::pop_heap(best.begin(), best.end(), better);
      best.pop_back();
    }
    best.push_back({.id = static_cast<uint32_t>(id), .logit = logits[id]});
    std::push_heap(best.begin(), best.end(), better);
    if (best.size() == count) bound = best.front().logit;
  }
  std::sort_heap(best.begin(), best.end(), better);
}

double log_sum_exp(std::span<const float> logits) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += exponential(double{logit} - highest);
  return highest + std::log(sum);
}

}  // namespace quintet
