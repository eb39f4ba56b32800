#include "runtime/generation/logits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace quintet {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Number of logits that are checked together: most blocks contain none that matters.
constexpr size_t kBlock = 32;

// Whether one is above the bound, or NaN.
bool any_above(const float* logits, float bound) {
  bool any = false;
  for (size_t i = 0; i < kBlock; ++i) any |= !(logits[i] <= bound);
  return any;
}

Failure no_number(size_t id) { return input_error(Reason::out_of_range, "the logit of token {} is not a number", id); }

// A heap of the best so far, with the worst of them at the front.
class Best {
 public:
  Best(std::vector<Candidate>& heap, size_t count) : heap_(heap), count_(count) { heap_.clear(); }

  // For equal logits, the lower id is better.
  float bound() const { return bound_; }

  void add(size_t id, float logit) {
    if (heap_.size() == count_) {
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.pop_back();
    }
    heap_.push_back({.id = static_cast<uint32_t>(id), .logit = logit});
    std::push_heap(heap_.begin(), heap_.end(), better);
    if (heap_.size() == count_) bound_ = heap_.front().logit;
  }

 private:
  std::vector<Candidate>& heap_;
  size_t count_;
  float bound_ = -kInfinity;
};

}  // namespace

bool better(const Candidate& a, const Candidate& b) { return a.logit > b.logit || (a.logit == b.logit && a.id < b.id); }

Status check_logits(std::span<const float> logits) {
  constexpr float kMax = std::numeric_limits<float>::max();
  for (size_t id = 0; id < logits.size(); ++id)
    if (!(logits[id] <= kMax)) return no_number(id);
  return {};
}

Status best_logits(std::span<const float> logits, size_t count, std::vector<Candidate>& best) {
  Best heap(best, count);
  for (size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, logits.size());
    if (end - begin == kBlock && !any_above(&logits[begin], heap.bound())) continue;
    for (size_t id = begin; id < end; ++id) {
      if (logits[id] <= heap.bound()) continue;
      if (!(logits[id] < kInfinity)) return no_number(id);
      heap.add(id, logits[id]);
    }
  }
  std::sort_heap(best.begin(), best.end(), better);
  return {};
}

double log_sum_exp(std::span<const float> logits) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += exponential(double{logit} - highest);
  return highest + std::log(sum);
}

}  // namespace quintet
