#pragma once
// What is done to each row of a pass alike, row by row: the threads share the rows.

#include <cstddef>

#include "base/thread_pool.h"

namespace quintet::decoder {

// Calls compute(begin, end) for parts of the rows [first, end).
template <class Compute>
void for_rows(size_t first, size_t end, const Compute& compute) {
  constexpr size_t kLeastRows = 4;
  const Partition rows(end - first, kLeastRows);
  parallel_for(rows.parts, [&](size_t part, size_t) { compute(first + rows.begin(part), first + rows.end(part)); });
}

}  // namespace quintet::decoder
