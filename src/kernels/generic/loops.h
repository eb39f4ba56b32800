#pragma once
// Loops that are unrolled in the source, because the optimizing compilers of JavaScript engines do not unroll them, and
// loops that clang must not unroll.

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

// body(0), body(1) ... body(count - 1), with kStep of them per iteration; `count` must be a multiple. A larger kStep
// saves instructions, but LLVM computes a chain of sums where its end is used, after the last step, and keeps its
// operands in registers until then: beyond a certain length there are not enough.
template <size_t kStep, class Body>
[[gnu::always_inline]] inline void in_steps(size_t count, Body body) {
  QUINTET_KEEP_LOOP
  for (size_t i = 0; i < count; i += kStep) {
    for (size_t j = 0; j < kStep; ++j) body(i + j);
  }
}

// Does this for `count` == kCount without a loop, whose checks and addresses are a third of the instructions of a short
// body. The branches, which are always taken, end the chains of sums; `count` must not be a constant.
template <size_t kStep, size_t kCount, class Body>
[[gnu::always_inline]] inline void in_branches(size_t count, Body body) {
  repeat<kCount / kStep>([&](size_t i) __attribute__((always_inline)) {
    if (i * kStep < count) repeat<kStep>([&](size_t j) __attribute__((always_inline)) { body(i * kStep + j); });
  });
}

}  // namespace quintet::generic
