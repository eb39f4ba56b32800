#pragma once
// Sorting where code that pages download counts more than time: heap sort is a quarter of what std::sort becomes for
// each type that it is used with, and takes about twice as long.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace quintet {

template <class Range, class Less = std::ranges::less, class Projection = std::identity>
void heap_sort(Range& range, Less less = {}, Projection projection = {}) {
  std::ranges::make_heap(range, less, projection);
  std::ranges::sort_heap(range, less, projection);
}

// Names that must be unique and may not be: in time n log n, whatever a hostile file makes of them.
// Index of a name that occurs before as well; nothing where all differ.
std::optional<size_t> find_duplicate(std::span<const std::string_view> names);

}  // namespace quintet
