#pragma once
// The threads of this instance of the engine, and loops whose parts they share.
//
// Only the shape of the work depends on the number of threads, never its result: a part is computed the same way by
// whichever thread takes it, so that all numbers of threads give the same bits.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace quintet {

// Modules whose memory is not shared have one thread, and no code for more.
#if defined(__EMSCRIPTEN__) && !defined(__wasm_atomics__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

class ThreadPool {
 public:
  // Of this program, or of this instance of the wasm module.
  static ThreadPool& shared();

  ThreadPool();
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Threads that may work at once, with the caller of run(): the bound of `thread` in a body.
  size_t size() const { return size_; }

  // Announces size - 1 helpers. Natively they start here, and those of an earlier size end; in wasm JavaScript starts
  // them, each with a call of help(). Not while anything runs. Work does not wait for helpers that have yet to come.
  void resize(size_t size);

  // A helper's whole life: computes parts of whatever run() is given. 0 < thread < size().
  void help(size_t thread);

  // A helper has stopped in the midst of a part: whoever waits for that part stops as well.
  void give_up();

  using Body = void (*)(const void* context, size_t part, size_t thread);
  // Calls body(context, part, thread) once for each part below `parts`, on this thread (0) and the helpers; returns
  // when all are done. Bodies neither allocate memory (in wasm, only this thread can grow it) nor call run().
  void run(size_t parts, Body body, const void* context);

 private:
  struct Helpers;

  bool compute_next(size_t thread);
  void compute_all(size_t thread);
  void wait_for_all(uint32_t parts);

  size_t size_ = 1;
  std::unique_ptr<Helpers> helpers_;

  // The job's number in the upper half, its next part in the lower.
  std::atomic<uint64_t> next_{kClosed};
  std::atomic<uint32_t> parts_{0};
  std::atomic<Body> body_{nullptr};
  std::atomic<const void*> context_{nullptr};
  std::atomic<uint32_t> done_{0};      // parts
  std::atomic<uint32_t> job_{0};       // what idle helpers watch
  std::atomic<uint32_t> sleepers_{0};  // helpers that must be woken
  std::atomic<bool> given_up_{false};
  std::atomic<bool> stopping_{false};

  static constexpr uint64_t kClosed = UINT32_MAX;
};

// Most threads that work at once.
inline size_t thread_count() {
  if constexpr (kHasThreads) return ThreadPool::shared().size();
  return 1;
}

// body(part, thread) for each part below `parts`, shared among the threads of the engine; `thread` is below
// thread_count().
template <class Body>
void parallel_for(size_t parts, const Body& body) {
  if constexpr (kHasThreads) {
    ThreadPool::shared().run(
        parts,
        [](const void* context, size_t part, size_t thread) { (*static_cast<const Body*>(context))(part, thread); },
        &body);
  } else {
    for (size_t part = 0; part < parts; ++part) body(part, size_t{0});
  }
}

// How `count` things are cut for a loop: into parts of about equal size, none of fewer than `least` things; into one
// part where there is one thread.
struct Partition {
  size_t count;
  size_t parts;

  Partition(size_t things, size_t least) : count(things), parts(1) {
    // Enough that a thread which is held up elsewhere leaves its share to the others.
    constexpr size_t kPartsPerThread = 4;
    const size_t threads = thread_count();
    if (threads == 1) return;
    parts = std::clamp<size_t>(things / least, 1, kPartsPerThread * threads);
    // All threads have as much to do.
    if (parts > threads) parts -= parts % threads;
  }
  size_t begin(size_t part) const { return part * count / parts; }
  size_t end(size_t part) const { return begin(part + 1); }
};

}  // namespace quintet
