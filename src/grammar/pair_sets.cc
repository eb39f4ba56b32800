#include "grammar/pair_sets.h"

#include <algorithm>

#include "base/order.h"

namespace quintet::grammar {
namespace {

uint32_t hash_of(std::span<const Pair> pairs) {
  uint64_t hash = pairs.size();
  for (const Pair pair : pairs) {
    hash = (hash ^ pair.first) * 0x9E3779B97F4A7C15;
    hash = ((hash >> 32) ^ hash ^ pair.second) * 0xBF58476D1CE4E5B9;
  }
  return static_cast<uint32_t>(hash >> 32);
}

constexpr size_t kSmallestTable = 64;

}  // namespace

void PairTable::clear() {
  count_ = 0;
  // After 2^32 rounds, old entries would seem to be new.
  if (++round_ == 0) {
    slots_.clear();
    round_ = 1;
  }
  if (slots_.empty()) slots_.resize(kSmallestTable);
}

PairTable::Slot& PairTable::slot_of(std::vector<Slot>& slots, Pair pair) const {
  const size_t mask = slots.size() - 1;
  size_t at = hash_of({&pair, 1}) & mask;
  while (slots[at].round == round_ && slots[at].pair != pair) at = (at + 1) & mask;
  return slots[at];
}

bool PairTable::add(Pair pair) {
  Slot& slot = slot_of(slots_, pair);
  if (slot.round == round_) return false;
  slot = {pair, round_};
  if (++count_ * 2 < slots_.size()) return true;
  std::vector<Slot> larger(slots_.size() * 2);
  for (const Slot& old : slots_) {
    if (old.round == round_) slot_of(larger, old.pair) = old;
  }
  slots_ = std::move(larger);
  return true;
}

PairSets::PairSets() : begins_{0, 0}, table_(kSmallestTable) {}

uint32_t PairSets::number_of(std::vector<Pair>& pairs) {
  if (pairs.empty()) return 0;
  if (!std::ranges::is_sorted(pairs)) heap_sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  const size_t mask = table_.size() - 1;
  size_t slot = hash_of(pairs) & mask;
  while (table_[slot] != 0) {
    if (std::ranges::equal((*this)[table_[slot]], pairs)) return table_[slot];
    slot = (slot + 1) & mask;
  }
  const uint32_t number = size();
  table_[slot] = number;
  pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
  begins_.push_back(static_cast<uint32_t>(pairs_.size()));
  if (size_t{number} * 2 >= table_.size()) grow();
  return number;
}

void PairSets::grow() {
  table_.assign(table_.size() * 2, 0);
  const size_t mask = table_.size() - 1;
  for (uint32_t number = 1; number < size(); ++number) {
    size_t slot = hash_of((*this)[number]) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = number;
  }
}

}  // namespace quintet::grammar
