#include "tokenizers/bpe/merge_table.h"

#include <string>
#include <utility>

namespace quintet {
namespace {

// Random pairs never fill this many consecutive slots. Merges that do were made to collide, which would make every
// look-up slow.
constexpr size_t kMaxMergeProbes = 256;

// The final mix of MurmurHash3's 64 bits.
uint32_t hash_of(uint32_t left, uint32_t right) {
  uint64_t hash = (uint64_t{left} << 32) | right;
  hash ^= hash >> 33;
  hash *= 0xFF51AFD7ED558CCD;
  hash ^= hash >> 33;
  hash *= 0xC4CEB9FE1A85EC53;
  return static_cast<uint32_t>(hash >> 32);
}

template <class... Values>
QUINTET_INLINE Failure limit_error(Pattern<sizeof...(Values)> detail, const Values&... values) {
  return fail(Code::format, Reason::limit, detail, values...);
}

}  // namespace

Result<MergeTable> MergeTable::create(std::vector<TokenMerge> merges) {
  const size_t count = merges.size();
  if (count > kMaxMerges) return limit_error("{} merges are too many", count);
  MergeTable table(std::move(merges), static_cast<size_t>(slots_for(count)));
  for (uint32_t rank = 0; rank < count; ++rank) {
    if (!table.insert(rank)) return limit_error("the hashes of too many merges of the vocabulary collide");
  }
  return table;
}

bool MergeTable::insert(uint32_t rank) {
  const TokenMerge& merge = merges_[rank];
  const uint32_t hash = hash_of(merge.left, merge.right);
  const size_t mask = slots_.size() - 1;
  for (size_t probe = 0; probe < kMaxMergeProbes; ++probe) {
    uint32_t& slot = slots_[(hash + probe) & mask];
    if (slot == kFree) {
      slot = (hash & ~kRankMask) | rank;
      return true;
    }
    const TokenMerge& taken = merges_[slot & kRankMask];
    if (taken.left == merge.left && taken.right == merge.right) return true;
  }
  return false;
}

uint32_t MergeTable::rank_of(uint32_t left, uint32_t right) const {
  const uint32_t hash = hash_of(left, right);
  const size_t mask = slots_.size() - 1;
  for (size_t probe = 0; probe < kMaxMergeProbes; ++probe) {
    const uint32_t slot = slots_[(hash + probe) & mask];
    if (slot == kFree) break;
    if ((slot ^ hash) >> 24 != 0) continue;
    const uint32_t rank = slot & kRankMask;
    if (merges_[rank].left == left && merges_[rank].right == right) return rank;
  }
  return kNone;
}

}  // namespace quintet
