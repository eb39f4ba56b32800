#pragma once
// Finds the merge of two tokens of a BPE vocabulary: an open-addressing hash table with four bytes per slot over the
// list of merges.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"

namespace quintet {

// Tokens are known by their index.
struct TokenMerge {
  uint32_t left, right, merged;
};

class MergeTable {
 public:
  static constexpr size_t kMaxMerges = (1u << 24) - 1;
  static constexpr uint32_t kNone = UINT32_MAX;

  // Expects the best merge first. The first of equal pairs counts. Rejects more than kMaxMerges, and merges whose
  // hashes were made to collide.
  static Result<MergeTable> create(std::vector<TokenMerge> merges);

  // The memory of a table of this many merges.
  static uint64_t bytes_for(uint64_t merges) {
    return merges * sizeof(TokenMerge) + slots_for(merges) * sizeof(uint32_t);
  }

  // Returns the rank of the merge of two tokens, 0 being the best; kNone if there is none.
  uint32_t rank_of(uint32_t left, uint32_t right) const;
  uint32_t merged(uint32_t rank) const { return merges_[rank].merged; }

 private:
  static uint64_t slots_for(uint64_t merges) { return std::bit_ceil(2 * merges + 2); }
  MergeTable(std::vector<TokenMerge> merges, size_t slots) : merges_(std::move(merges)), slots_(slots, kFree) {}
  bool insert(uint32_t rank);

  // A slot: the upper 8 bits of the hash above the rank.
  static constexpr uint32_t kFree = UINT32_MAX;
  static constexpr uint32_t kRankMask = 0x00FFFFFF;

  std::vector<TokenMerge> merges_;
  std::vector<uint32_t> slots_;  // a power of two, at most half of them taken
};

}  // namespace quintet
