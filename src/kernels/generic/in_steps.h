#pragma once
// Loops that stand in the code a few iterations at a time.

#include <cstddef>

#if defined(__clang__)
#define QUINTET_KEEP_LOOP _Pragma("clang loop unroll(disable)")
#else
#define QUINTET_KEEP_LOOP
#endif

namespace quintet::generic {

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
