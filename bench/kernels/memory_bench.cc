#include "bench/kernels/memory_bench.h"

#include <cstddef>
#include <cstdio>

#include "base/aligned_buffer.h"
#include "bench/kernels/peaks.h"

namespace quintet::bench {

void bench_memory() {
  constexpr size_t kBytes = size_t{512} << 20;
  AlignedBuffer<std::byte> memory;
  // Zeros are written, so that every page is there.
  if (!memory.resize(kBytes)) return;
  std::printf("memory: read %.1f GB/s\n", read_rate(memory.data(), kBytes));
}

}  // namespace quintet::bench
