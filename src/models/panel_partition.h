#pragma once
// The division of a matrix's panels and of a pass's rows among threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/thread_pool.h"

namespace quintet {

class PanelPartition {
 public:
  // `multiply_adds`: of one panel with all rows of activations.
  PanelPartition(size_t panels, uint64_t multiply_adds)
      : panels_(panels), groups_((panels + kGroup - 1) / kGroup, min_groups(multiply_adds)) {}

  size_t parts() const { return groups_.parts; }
  size_t begin(size_t part) const { return groups_.begin(part) * kGroup; }
  size_t end(size_t part) const { return std::min(groups_.end(part) * kGroup, panels_); }

 private:
  // Number of panels that a kernel processes at once for a single row.
  static constexpr size_t kGroup = 4;

  // A part takes at least some microseconds, as long as it takes to hand it to another thread.
  static size_t min_groups(uint64_t multiply_adds) {
    constexpr uint64_t kMinMultiplyAdds = 1 << 16;
    return static_cast<size_t>(std::max<uint64_t>(1, kMinMultiplyAdds / std::max<uint64_t>(1, kGroup * multiply_adds)));
  }

  size_t panels_;
  Partition groups_;
};

// Processes each row separately: calls compute(begin, end) for parts of the rows [first, end).
template <class Compute>
void for_rows(size_t first, size_t end, const Compute& compute) {
  constexpr size_t kMinRows = 4;
  const Partition rows(end - first, kMinRows);
  parallel_for(rows.parts, [&](size_t part, size_t) { compute(first + rows.begin(part), first + rows.end(part)); });
}

}  // namespace quintet
