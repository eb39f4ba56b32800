#include "base/order.h"

#include <cstdint>
#include <iterator>
#include <vector>

namespace quintet {

void heap_sort_places(size_t count, const void* elements, bool (*is_less)(const void*, size_t, size_t),
                      void (*exchange)(const void*, size_t, size_t)) {
  // Moves an element down until neither of those below it in the heap is greater.
  const auto sift_down = [&](size_t at, size_t end) {
    for (size_t below = 2 * at + 1; below < end; below = 2 * at + 1) {
      if (below + 1 < end && is_less(elements, below, below + 1)) ++below;
      if (!is_less(elements, at, below)) return;
      exchange(elements, at, below);
      at = below;
    }
  };
  for (size_t at = count / 2; at-- > 0;) sift_down(at, count);
  for (size_t end = count; end-- > 1;) {
    exchange(elements, 0, end);
    sift_down(0, end);
  }
}

std::optional<size_t> find_duplicate(std::span<const std::string_view> names) {
  std::vector<uint32_t> order(names.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  heap_sort(order, [&](uint32_t a, uint32_t b) {
    const int by_name = names[a].compare(names[b]);
    return by_name != 0 ? by_name < 0 : a < b;
  });
  const auto twice = std::ranges::adjacent_find(order, [&](uint32_t a, uint32_t b) { return names[a] == names[b]; });
  if (twice == order.end()) return std::nullopt;
  return *std::next(twice);
}

}  // namespace quintet
