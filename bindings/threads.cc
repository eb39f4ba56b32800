// Threads of a module with shared memory: plain functions, because helper threads have no Embind. JavaScript (npm/src)
// starts a worker for each helper, with another instance of the module on the same memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/thread_pool.h"

namespace {

// Kernels keep tiles on the stack; nothing is recursive.
constexpr size_t kStackBytes = 64 << 10;

}  // namespace

extern "C" {

// Allocates memory for a helper. Returns the address between its stack, which grows down from there, and its
// thread-local variables; 0 if there is no memory.
uintptr_t thread_memory() {
  static_assert(alignof(max_align_t) >= 8);
  const size_t bytes = kStackBytes + __builtin_wasm_tls_size();
  const auto base = reinterpret_cast<uintptr_t>(std::aligned_alloc(16, (bytes + 15) / 16 * 16));
  return base == 0 ? 0 : base + kStackBytes;
}

// Sets the number of threads, including this one, that compute from now on.
void set_threads(uint32_t threads) { quintet::ThreadPool::shared().resize(threads); }

// Runs helper number `thread`; does not return.
void help(uint32_t thread) { quintet::ThreadPool::shared().help(thread); }

// A helper has trapped, so its part will never be done.
void give_up() { quintet::ThreadPool::shared().give_up(); }

}  // extern "C"
