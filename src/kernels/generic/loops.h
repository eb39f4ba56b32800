#pragma once
// Loops that are unrolled in the source, because the optimizing compilers of the engines do not unroll, and loops that
// clang must not unroll.

#include <cstddef>
#include <utility>

#if defined(__clang__)
#define QUINTET_KEEP_LOOP _Pragma("clang loop unroll(disable)")
#else
#define QUINTET_KEEP_LOOP
#endif

namespace quintet::generic {

// body(0), body(1) ... body(kTimes - 1).
template <size_t kTimes, class Body>
[[gnu::always_inline]] inline void repeat(Body body) {
  [&]<size_t... i>(std::index_sequence<i...>)
      __attribute__((always_inline)) { (body(i), ...); }(std::make_index_sequence<kTimes>());
}

// body(0), body(1) ... body(count - 1), with kStep of them, of which `count` is a multiple, in one turn of the loop.
// More save instructions, but LLVM computes a chain of sums where its end is used, that is behind the last step, and
// keeps what the sums are made of in registers until then: beyond a certain length there are not enough of them.
template <size_t kStep, class Body>
[[gnu::always_inline]] inline void in_steps(size_t count, Body body) {
  QUINTET_KEEP_LOOP
  for (size_t i = 0; i < count; i += kStep) {
    for (size_t j = 0; j < kStep; ++j) body(i + j);
  }
}

}  // namespace quintet::generic
