// Threads of a module whose memory they share: plain functions, because helpers have no Embind. JavaScript (npm/src)
// makes a worker of each helper, with another instance of the module over the same memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/thread_pool.h"

namespace {

// Kernels keep tiles on the stack, and nothing recurses.
constexpr size_t kStackBytes = 64 << 10;

}  // namespace

extern "C" {

// Room for a helper, as the address between its stack, which grows down from there, and its thread-local variables. 0
// where there is no memory.
uintptr_t helper_memory() {
  static_assert(alignof(max_align_t) >= 8);
  const size_t bytes = kStackBytes + __builtin_wasm_tls_size();
  const auto base = reinterpret_cast<uintptr_t>(std::aligned_alloc(16, (bytes + 15) / 16 * 16));
  return base == 0 ? 0 : base + kStackBytes;
}

// That many threads compute from now on, this one among them.
void set_threads(uint32_t threads) { quintet::ThreadPool::shared().resize(threads); }

// The life of helper number `thread`; does not return.
void help(uint32_t thread) { quintet::ThreadPool::shared().help(thread); }

// A helper has trapped: its part will never be done.
void give_up() { quintet::ThreadPool::shared().give_up(); }

}  // extern "C"
