#pragma once
// One word on its way through byte-level BPE. It is filled anew for each word, so that nothing is allocated for most.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tokenizers/merge_table.h"

namespace quintet {

class ByteBpeWord {
 public:
  explicit ByteBpeWord(const MergeTable& merges) : merges_(merges) {}

  void clear() { symbols_.clear(); }
  void add(uint32_t token) {
    const auto at = static_cast<uint32_t>(symbols_.size());
    symbols_.push_back({.token = token, .previous = at - 1, .next = at + 1, .rank = MergeTable::kNone});
  }
  // Merges what was added, as long as there is a merge; of equal ranks, the leftmost first.
  void merge();

  template <class Visit>
  void for_each_token(Visit visit) const {
    for (size_t at = 0; at < symbols_.size(); at = symbols_[at].next) visit(symbols_[at].token);
  }

 private:
  struct Symbol {
    uint32_t token, previous, next;  // neighbours by position; of the last, `next` is the number of symbols
    uint32_t rank;                   // of its merge with the next
  };

  // What could be merged: the rank over the position. An entry whose symbol has another rank by now is void.
  static constexpr uint64_t candidate(uint32_t rank, uint32_t at) { return (uint64_t{rank} << 32) | at; }

  bool rank_pair(uint32_t at);
  void push_pair(uint32_t at);
  void merge_at(uint32_t at);

  const MergeTable& merges_;
  std::vector<Symbol> symbols_;
  std::vector<uint64_t> heap_;  // least first
};

}  // namespace quintet
