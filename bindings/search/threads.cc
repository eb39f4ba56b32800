// The search index's module for several threads, on memory that they share. A search is a number of chunks of rows.
// Every thread takes the next one until none is left, the thread of the index included, which alone starts searches.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/score_rows.h"

#include <emscripten/em_macros.h>

namespace {

using quintet::simd128::score_rows_binary;
using quintet::simd128::score_rows_i8;

// Rows of a block are adjacent; the rows of an index are in many blocks (npm/src/search/vectors/vector_table.ts).
constexpr uint32_t kBlockRows = 256;

// Written by the index before it starts a search.
struct Job {
  const int8_t* query;
  // Addresses of the blocks.
  const int8_t* const* blocks;
  int32_t* scores;
  // The number of the search when a chunk is done.
  std::atomic<uint32_t>* done;
  uint32_t rows;
  uint32_t row_bytes;
  // Rows are bits, not bytes.
  uint32_t is_binary;
  uint32_t chunk_blocks;
  uint32_t chunks;
  uint32_t search;
};

Job job;
// Chunks that are not taken yet; below 0, all were taken. It alone shows whether there is work: the job stays as it is
// until the threads that took chunks have finished them.
std::atomic<int32_t> left{0};
std::atomic<uint32_t> searches{0};

// Adjacent blocks are scored together: the longer a run through memory, the faster.
void score_chunk(uint32_t chunk) {
  const uint32_t end = std::min((chunk + 1) * job.chunk_blocks, (job.rows + kBlockRows - 1) / kBlockRows);
  for (uint32_t block = chunk * job.chunk_blocks, next; block < end; block = next) {
    next = block + 1;
    while (next < end && job.blocks[next] == job.blocks[next - 1] + kBlockRows * job.row_bytes) ++next;
    const uint32_t row = block * kBlockRows;
    const uint32_t count = std::min(next * kBlockRows, job.rows) - row;
    if (job.is_binary) {
      score_rows_binary(reinterpret_cast<const uint8_t*>(job.query),
                        reinterpret_cast<const uint8_t*>(job.blocks[block]), count, job.row_bytes, job.scores + row);
    } else {
      score_rows_i8(job.query, job.blocks[block], count, job.row_bytes, job.scores + row);
    }
  }
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE Job* search_job() { return &job; }

// Wakes the helpers for the job.
EMSCRIPTEN_KEEPALIVE void start_search() {
  left.store(static_cast<int32_t>(job.chunks));
  searches.fetch_add(1);
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int32_t*>(&searches), UINT32_MAX);
}

// Scores the next free chunk. False if there is none.
EMSCRIPTEN_KEEPALIVE bool score_next_chunk() {
  const int32_t waiting = left.fetch_sub(1);
  if (waiting <= 0) return false;
  const uint32_t chunk = job.chunks - static_cast<uint32_t>(waiting);
  score_chunk(chunk);
  job.done[chunk].store(job.search);
  return true;
}

// Helps with every search; does not return.
EMSCRIPTEN_KEEPALIVE void help(uint32_t) {
  for (uint32_t seen = 0;;) {
    __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int32_t*>(&searches), static_cast<int32_t>(seen), -1);
    seen = searches.load();
    while (score_next_chunk()) {
    }
  }
}

// Nothing that helpers do can trap.
EMSCRIPTEN_KEEPALIVE void give_up() {}

}  // extern "C"
