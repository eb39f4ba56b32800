#include "tokenizers/byte_bpe_word.h"

namespace quintet {

// Whether the symbol and the next one can be merged.
bool ByteBpeWord::rank_pair(uint32_t at) {
  Symbol& symbol = symbols_[at];
  symbol.rank =
      symbol.next == symbols_.size() ? MergeTable::kNone : merges_.rank_of(symbol.token, symbols_[symbol.next].token);
  return symbol.rank != MergeTable::kNone;
}

void ByteBpeWord::push_pair(uint32_t at) {
  if (!rank_pair(at)) return;
  heap_.push_back(candidate(symbols_[at].rank, at));
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void ByteBpeWord::merge_at(uint32_t at) {
  Symbol& symbol = symbols_[at];
  Symbol& taken = symbols_[symbol.next];
  symbol.token = merges_.merged(symbol.rank);
  symbol.next = taken.next;
  taken.rank = MergeTable::kNone;
  if (symbol.next != symbols_.size()) symbols_[symbol.next].previous = at;
  push_pair(at);
  if (at != 0) push_pair(symbol.previous);
}

void ByteBpeWord::merge() {
  heap_.clear();
  for (uint32_t at = 0; at < symbols_.size(); ++at) {
    if (rank_pair(at)) heap_.push_back(candidate(symbols_[at].rank, at));
  }
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const uint64_t best = heap_.back();
    heap_.pop_back();
    const auto at = static_cast<uint32_t>(best);
    if (symbols_[at].rank == best >> 32) merge_at(at);
  }
}

}  // namespace quintet
