#include "base/order.h"

#include <cstdint>
#include <iterator>
#include <vector>

namespace quintet {

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
