#pragma once
// Sorting for pages, where code size matters more than time: a heap sort whose code is the same for all types.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace quintet {

// For elements of any type: the functions get `elements` and two places, from 0 on.
void heap_sort_places(size_t count, const void* elements, bool (*is_less)(const void*, size_t, size_t),
                      void (*exchange)(const void*, size_t, size_t));

template <class Range, class Less = std::ranges::less, class Projection = std::identity>
void heap_sort(Range& range, Less less = {}, Projection projection = {}) {
  struct Elements {
    Range& range;
    Less& less;
    Projection& projection;
  };
  const Elements elements{range, less, projection};
  heap_sort_places(
      range.size(), &elements,
      [](const void* of, size_t a, size_t b) -> bool {
        const Elements& in = *static_cast<const Elements*>(of);
        return std::invoke(in.less, std::invoke(in.projection, in.range[a]), std::invoke(in.projection, in.range[b]));
      },
      [](const void* of, size_t a, size_t b) {
        const Elements& in = *static_cast<const Elements*>(of);
        std::ranges::swap(in.range[a], in.range[b]);
      });
}

// Checks names that must be unique: in time n log n, even for hostile files. Returns the index of a name that occurs
// earlier as well; nothing if all are different.
std::optional<size_t> find_duplicate(std::span<const std::string_view> names);

}  // namespace quintet
