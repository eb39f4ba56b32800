#pragma once
// The number of threads of a test, and of what it compares with: one.

#include <cstddef>

#include "base/thread_pool.h"

namespace quintet::testing {

class ThreadCount {
 public:
  explicit ThreadCount(size_t count) { ThreadPool::shared().resize(count); }
  ~ThreadCount() { ThreadPool::shared().resize(1); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;
};

// More threads than this machine has processors, and numbers that divide nothing.
inline constexpr size_t kThreadCounts[] = {2, 3, 5};

}  // namespace quintet::testing
