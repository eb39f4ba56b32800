#include "base/thread_pool.h"

#include <vector>

#if defined(__EMSCRIPTEN__)
#define QUINTET_NATIVE_THREADS 0
#else
#define QUINTET_NATIVE_THREADS 1
#include <thread>
#endif

namespace quintet {
namespace {

// Number of spins before a thread goes to sleep: about a hundred microseconds, longer than the time between two layers,
// and not noticeable on an idle machine. Waking a sleeping thread takes about fifty: with a fifth of these spins,
// ResNet-18 was 1.7 times as fast on two threads, with these 1.9 times.
constexpr size_t kLooks = 100000;

// A part takes milliseconds. If a helper needs a minute, the browser has terminated it. In WebAssembly, a wait lasts at
// most a second.
constexpr size_t kMaxNaps = 60;

#if QUINTET_NATIVE_THREADS
void sleep_while(const std::atomic<uint32_t>& value, uint32_t seen) { value.wait(seen); }
void wake(std::atomic<uint32_t>& value) { value.notify_all(); }
#elif defined(__wasm_atomics__)
// WebAssembly threads proposal: memory.atomic.wait32 and .notify. The page's main thread may not wait, so the engine
// has several threads only in workers.
void sleep_while(std::atomic<uint32_t>& value, uint32_t seen) {
  constexpr int64_t kSecond = 1'000'000'000;
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&value), static_cast<int>(seen), kSecond);
}
void wake(std::atomic<uint32_t>& value) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&value), UINT32_MAX);
}
#else
// One thread, which never waits.
void sleep_while(const std::atomic<uint32_t>&, uint32_t) {}
void wake(std::atomic<uint32_t>&) {}
#endif

}  // namespace

struct ThreadPool::Helpers {
#if QUINTET_NATIVE_THREADS
  std::vector<std::thread> threads;
#endif
};

ThreadPool& ThreadPool::shared() {
  static ThreadPool pool;
  return pool;
}

ThreadPool::ThreadPool() : helpers_(std::make_unique<Helpers>()) {}

ThreadPool::~ThreadPool() { resize(1); }

void ThreadPool::resize(size_t size) {
#if QUINTET_NATIVE_THREADS
  stopping_ = true;
  ++job_;
  wake(job_);
  for (std::thread& thread : helpers_->threads) thread.join();
  helpers_->threads.clear();
  stopping_ = false;
#endif
  size_ = size;
#if QUINTET_NATIVE_THREADS
  for (size_t thread = 1; thread < size; ++thread) helpers_->threads.emplace_back([this, thread] { help(thread); });
#endif
}

void ThreadPool::help(size_t thread) {
  for (;;) {
    // Checked before stopping_: the thread that stops the helpers changes it afterwards, so it is noticed either way.
    const uint32_t seen = job_;
    if (stopping_) return;
    compute_all(thread);
    size_t looks = 0;
    while (job_ == seen && looks < kLooks) ++looks;
    if (job_ != seen) continue;
    ++sleepers_;
    while (job_ == seen) sleep_while(job_, seen);
    --sleepers_;
  }
}

void ThreadPool::give_up() {
  given_up_ = true;
  wake(done_);
}

void ThreadPool::run(size_t parts, Body body, const void* context) {
  if (size_ == 1 || parts <= 1) {
    for (size_t part = 0; part < parts; ++part) body(context, part, 0);
    return;
  }
  // Closed first, so that helpers that see the changes below find no part to take.
  next_ = kClosed;
  parts_ = static_cast<uint32_t>(parts);
  body_ = body;
  context_ = context;
  done_ = 0;
  const uint32_t job = job_ + 1;
  next_ = uint64_t{job} << 32;
  job_ = job;
  if (sleepers_ != 0) wake(job_);
  compute_all(0);
  wait_for_all(static_cast<uint32_t>(parts));
}

void ThreadPool::compute_all(size_t thread) {
  while (compute_next(thread)) {
  }
}

// Takes a part, if there is one. The data read belongs to this job, because otherwise next_ would have changed.
bool ThreadPool::compute_next(size_t thread) {
  uint64_t next = next_;
  const uint32_t parts = parts_;
  const Body body = body_;
  const void* const context = context_;
  const auto part = static_cast<uint32_t>(next);
  if (part >= parts) return false;
  if (!next_.compare_exchange_strong(next, next + 1)) return true;
  body(context, part, thread);
  if (++done_ == parts) wake(done_);
  return true;
}

void ThreadPool::wait_for_all(uint32_t parts) {
  for (size_t looks = 0; done_ != parts && looks < kLooks; ++looks) {
  }
  size_t naps = 0;
  for (uint32_t done; (done = done_) != parts; ++naps) {
    if (given_up_ || naps == kMaxNaps) __builtin_trap();
    sleep_while(done_, done);
  }
}

}  // namespace quintet
