#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <numeric>
#include <vector>

namespace quintet::test {
namespace {

// Runs `parts` parts and returns how often each was computed. Parts are plain memory: what threads write there must be
// there when run() returns.
std::vector<int> counts(ThreadPool& pool, size_t parts, std::atomic<size_t>* max_thread = nullptr) {
  struct Context {
    std::vector<int> counts;
    std::atomic<size_t>* max_thread;
  } context = {std::vector<int>(parts), max_thread};
  const auto count = [](const void* given, size_t part, size_t thread) {
    auto& context = *static_cast<Context*>(const_cast<void*>(given));
    ++context.counts[part];
    if (context.max_thread == nullptr) return;
    for (size_t max = *context.max_thread; max < thread;) context.max_thread->compare_exchange_weak(max, thread);
  };
  pool.run(parts, count, &context);
  return context.counts;
}

TEST(ThreadPool, ComputesEveryPartOnce) {
  for (const size_t threads : {1, 2, 3, 7}) {
    ThreadPool pool;
    pool.resize(threads);
    for (const size_t parts : {0, 1, 2, 3, 4, 5, 8, 64, 1000}) {
      for (int i = 0; i < 20; ++i) ASSERT_EQ(counts(pool, parts), std::vector<int>(parts, 1)) << threads;
    }
  }
}

TEST(ThreadPool, ThreadNumbersAreBelowItsSize) {
  ThreadPool pool;
  EXPECT_EQ(pool.size(), 1U);
  for (const size_t threads : {1, 2, 4}) {
    pool.resize(threads);
    EXPECT_EQ(pool.size(), threads);
    std::atomic<size_t> max = 0;
    for (int i = 0; i < 200; ++i) counts(pool, 50, &max);
    EXPECT_LT(max, threads);
  }
}

// Helpers that have just been started come late, and some rounds end before they do.
TEST(ThreadPool, IsResizedWhileItsHelpersStartOrSleep) {
  ThreadPool pool;
  for (int i = 0; i < 200; ++i) {
    pool.resize(1 + static_cast<size_t>(i) % 5);
    if (i % 3 != 0) {
      ASSERT_EQ(counts(pool, 9), std::vector<int>(9, 1));
    }
  }
}

// Two parts that wait for each other end only where two threads compute them.
TEST(ThreadPool, HelpersComputeAtTheSameTime) {
  ThreadPool pool;
  pool.resize(2);
  for (int i = 0; i < 100; ++i) {
    std::latch both(2);
    const auto meet = [](const void* latch, size_t, size_t) {
      static_cast<std::latch*>(const_cast<void*>(latch))->arrive_and_wait();
    };
    pool.run(2, meet, &both);
  }
}

// One that sits in its own part holds up nobody but those that wait for this part.
TEST(ThreadPool, OthersComputeWhatASlowThreadLeaves) {
  constexpr size_t kParts = 50;
  struct Context {
    std::atomic<size_t> done = 0;
  } context;
  ThreadPool pool;
  pool.resize(2);
  const auto wait_in_the_first = [](const void* given, size_t part, size_t) {
    auto& done = static_cast<Context*>(const_cast<void*>(given))->done;
    if (part == 0) {
      for (size_t seen = done; seen != kParts - 1; seen = done) done.wait(seen);
    } else {
      ++done;
      done.notify_all();
    }
  };
  pool.run(kParts, wait_in_the_first, &context);
  EXPECT_EQ(context.done, kParts - 1);
}

TEST(Partition, CoversEverythingInPartsOfSimilarSize) {
  for (const size_t threads : {1, 2, 3, 8}) {
    ThreadPool::shared().resize(threads);
    for (const size_t things : {0, 1, 2, 5, 16, 31, 96, 256, 1000}) {
      for (const size_t min : {1, 4, 16, 300}) {
        const Partition partition(things, min);
        ASSERT_GE(partition.parts, 1U);
        size_t at = 0;
        for (size_t part = 0; part < partition.parts; ++part) {
          ASSERT_EQ(partition.begin(part), at);
          at = partition.end(part);
          if (partition.parts > 1) {
            ASSERT_GE(at - partition.begin(part), min);
          }
          ASSERT_LE(at - partition.begin(part), things / partition.parts + 1);
        }
        ASSERT_EQ(at, things);
        if (threads == 1) {
          ASSERT_EQ(partition.parts, 1U);
        }
        if (partition.parts > threads) {
          ASSERT_EQ(partition.parts % threads, 0U);
        }
      }
    }
  }
  ThreadPool::shared().resize(1);
}

TEST(ParallelFor, ComputesOnTheThreadsOfTheEngine) {
  for (const size_t threads : {1, 3}) {
    ThreadPool::shared().resize(threads);
    std::vector<size_t> squares(100);
    parallel_for(squares.size(), [&](size_t part, size_t thread) {
      squares[part] = part * part;
      if (thread >= thread_count()) ADD_FAILURE() << thread;
    });
    EXPECT_EQ(std::accumulate(squares.begin(), squares.end(), size_t{0}), 328350U);
  }
  ThreadPool::shared().resize(1);
}

}  // namespace
}  // namespace quintet::test
