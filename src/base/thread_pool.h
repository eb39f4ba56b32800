#pragma once
// The threads of this instance of the engine, and parallel loops.
//
// The number of threads only changes how work is divided, never the result: every thread computes a part in the same
// way, so any number of threads gives the same bits.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace quintet {

// Modules without shared memory have one thread, and no code for more.
#if defined(__EMSCRIPTEN__) && !defined(__wasm_atomics__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

class ThreadPool {
 public:
  // The pool of this program, or of this instance of the WebAssembly module.
  static ThreadPool& shared();

  ThreadPool();
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Maximum number of threads, including the caller of run(): the bound of `thread` in a body.
  size_t size() const { return size_; }

  // Announces size - 1 helpers. Natively they are started here, and those of a previous size are ended; in WebAssembly,
  // JavaScript starts them, each with a call of help(). Not allowed while anything runs. Work does not wait for helpers
  // that have not started yet.
  void resize(size_t size);

  // The main loop of a helper: computes parts of the jobs of run(). 0 < thread < size().
  void help(size_t thread);

  // A helper has crashed in the middle of a part: the thread that waits for it stops as well.
  void give_up();

  using Body = void (*)(const void* context, size_t part, size_t thread);
  // Calls body(context, part, thread) once for each part below `parts`, on this thread (0) and the helpers. Returns
  // when all are done. Bodies must not allocate memory (in WebAssembly, only this thread can grow it) nor call run().
  void run(size_t parts, Body body, const void* context);

 private:
  struct Helpers;

  bool compute_next(size_t thread);
  void compute_all(size_t thread);
  void wait_for_all(uint32_t parts);

  size_t size_ = 1;
  std::unique_ptr<Helpers> helpers_;

  // The number of the job in the upper half, its next part in the lower half.
  std::atomic<uint64_t> next_{kClosed};
  std::atomic<uint32_t> parts_{0};
  std::atomic<Body> body_{nullptr};
  std::atomic<const void*> context_{nullptr};
  std::atomic<uint32_t> done_{0};      // parts
  std::atomic<uint32_t> job_{0};       // watched by idle helpers
  std::atomic<uint32_t> sleepers_{0};  // helpers that must be woken
  std::atomic<bool> given_up_{false};
  std::atomic<bool> stopping_{false};

  static constexpr uint64_t kClosed = UINT32_MAX;
};

// Maximum number of threads that work at once.
inline size_t thread_count() {
  if constexpr (kHasThreads) return ThreadPool::shared().size();
  return 1;
}

// Calls body(part, thread) for each part below `parts`, shared among the threads of the engine. `thread` is below
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

// Divides `count` items for a loop into parts of about equal size with at least `min` items each; into one part if
// there is one thread.
struct Partition {
  size_t count;
  size_t parts;

  Partition(size_t things, size_t min) : count(things), parts(1) {
    // Enough parts that a thread that is held up elsewhere leaves its share to the others.
    constexpr size_t kPartsPerThread = 4;
    const size_t threads = thread_count();
    if (threads == 1) return;
    parts = std::clamp<size_t>(things / min, 1, kPartsPerThread * threads);
    // Gives all threads the same amount of work.
    if (parts > threads) parts -= parts % threads;
  }
  size_t begin(size_t part) const { return part * count / parts; }
  size_t end(size_t part) const { return begin(part + 1); }
};

}  // namespace quintet
