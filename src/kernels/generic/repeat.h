#pragma once
// Loops that are unrolled in the source: the engines' optimizing compilers do not unroll.

#include <cstddef>
#include <utility>

namespace quintet::generic {

// body(0), body(1) ... body(kTimes - 1).
template <size_t kTimes, class Body>
[[gnu::always_inline]] inline void repeat(Body body) {
  [&]<size_t... i>(std::index_sequence<i...>)
      __attribute__((always_inline)) { (body(i), ...); }(std::make_index_sequence<kTimes>());
}

}  // namespace quintet::generic
