#pragma once
// The machine may be shared: the best of many short repetitions counts, and ratios within one run.

#include <chrono>
#include <cstddef>
#include <limits>

namespace quintet::bench {

// Seconds of the fastest repetition of run(), which does a millisecond or so of work. The first
// repetitions also let the engine compile the code with its optimizing compiler.
template <class Run>
double best_seconds(Run run) {
  using Clock = std::chrono::steady_clock;
  constexpr double kBudget = 0.25;
  constexpr size_t kFewest = 10;
  double best = std::numeric_limits<double>::infinity();
  double total = 0;
  for (size_t i = 0; i < kFewest || total < kBudget; ++i) {
    const auto begin = Clock::now();
    run();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    best = seconds < best ? seconds : best;
    total += seconds;
  }
  return best;
}

}  // namespace quintet::bench
