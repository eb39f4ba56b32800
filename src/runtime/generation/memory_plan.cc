#include "runtime/generation/memory_plan.h"

#include <algorithm>
#include <string>

#include "base/aligned_buffer.h"
#include "base/checked.h"
#include "runtime/inspect/memory_estimate.h"

namespace quintet {
namespace {

// Minimum context length if the caller names none and the model supports it. Many models have a hundred thousand
// positions and more, whose keys and values would need more memory than everything else.
constexpr uint64_t kDefaultContext = 4096;

}  // namespace

MemoryPlan::MemoryPlan(const GeneratorOptions& options, uint64_t available)
    : context_length_(options.context_length), kv_types_(options.kv_types), available_(available) {}

Status MemoryPlan::plan_cache(const DecoderConfig& config) {
  if (context_length_ > config.max_seq_len) {
    return input_error(Reason::out_of_range, "a context of {} tokens, but the model supports at most {}",
                       context_length_, config.max_seq_len);
  }
  const uint64_t min = context_length_ == 0 ? std::min(config.max_seq_len, kDefaultContext) : context_length_;
  QUINTET_TRY(cache_, kv_cache_bytes(config, kv_types_, min));
  return {};
}

Status MemoryPlan::expect(uint64_t weights) {
  expected_ = weights;
  return check(weights);
}

Status MemoryPlan::add(uint64_t weights) {
  planned_ = checked_add(planned_, weights).value_or(UINT64_MAX);
  return check(planned_);
}

Status MemoryPlan::check(uint64_t weights) const {
  const uint64_t needed = checked_add(weights, cache_).value_or(UINT64_MAX);
  if (needed <= available_) return {};
  return fail(Code::memory, Reason::out_of_memory, "needs {} bytes (weights {}, KV cache {}), but {} are available",
              needed, weights, cache_, available_);
}

void MemoryPlan::grow_heap() {
  const uint64_t needed = std::max(planned_, expected_);
  if (needed <= heap_) return;
  AlignedBuffer<std::byte> room;
  // Without room for all, some matrix will not fit, and its error reports it.
  static_cast<void>(room.reserve(needed - heap_));
  asm volatile("" : : "r"(room.data()));  // or the compiler would leave out both the allocation and its end
  heap_ = needed;
}

Result<uint64_t> MemoryPlan::context_beside(uint64_t weights, const DecoderConfig& config) const {
  if (context_length_ != 0) return context_length_;
  for (uint64_t context = config.max_seq_len;; context = std::max(context / 2, kDefaultContext)) {
    QUINTET_TRY(const uint64_t cache, kv_cache_bytes(config, kv_types_, context));
    if (context <= kDefaultContext || checked_add(weights, cache).value_or(UINT64_MAX) <= available_) return context;
  }
}

}  // namespace quintet
