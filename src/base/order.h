#pragma once
// Sorting where code that pages download counts more than time: heap sort is a quarter of what std::sort becomes for
// each type that it is used with, and takes about twice as long.

#include <algorithm>
#include <functional>

namespace quintet {

template <class Range, class Less = std::ranges::less, class Projection = std::identity>
void heap_sort(Range& range, Less less = {}, Projection projection = {}) {
  std::ranges::make_heap(range, less, projection);
  std::ranges::sort_heap(range, less, projection);
}

}  // namespace quintet
