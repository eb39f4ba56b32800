#pragma once
// Sorting for pages, where code size matters more than time: heap sort has a quarter of the code of std::sort for each
// type, and takes about twice as long.

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

// Checks names that must be unique: in time n log n, even for hostile files. Returns the index of a name that occurs
// earlier as well; nothing if all are different.
std::optional<size_t> find_duplicate(std::span<const std::string_view> names);

}  // namespace quintet
