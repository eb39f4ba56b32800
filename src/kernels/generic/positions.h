#pragma once
// Where neighbouring outputs of a map lie.

#include <cstddef>

namespace quintet::generic {

// Of outputs first, first + 1, ...: `width` in a line, `step` values apart, lines `line` apart. A tile may reach into
// the next line.
template <size_t kCount>
[[gnu::always_inline]] inline void place(size_t first, size_t width, size_t step, size_t line,
                                         size_t (&offsets)[kCount]) {
  size_t x = first % width;
  size_t begin = first / width * line;
  for (size_t& offset : offsets) {
    offset = begin + x * step;
    if (++x == width) {
      x = 0;
      begin += line;
    }
  }
}

}  // namespace quintet::generic
