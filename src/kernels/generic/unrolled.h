#pragma once
// Loops whose body must stand in the code as often as it runs: the engines' optimizing compilers do not unroll.

#include <cstddef>
#include <utility>

namespace quintet::generic {

// body(0), body(1) ... body(count - 1); unrolled where the count is known, which kCount = 0 says it is not.
template <size_t kCount, class Body>
[[gnu::always_inline]] inline void unrolled(size_t count, Body body) {
  if constexpr (kCount == 0) {
    for (size_t i = 0; i < count; ++i) body(i);
  } else {
    [&]<size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) { (body(i), ...); }
    (std::make_index_sequence<kCount>());
  }
}

}  // namespace quintet::generic
