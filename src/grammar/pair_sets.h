#pragma once
// Sets of pairs of numbers, each kept once and known by its number.

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace quintet::grammar {

struct Pair {
  uint32_t first = 0;
  uint32_t second = 0;

  auto operator<=>(const Pair&) const = default;
};

// A set of pairs whose clear() takes constant time.
class PairTable {
 public:
  void clear();
  // Returns false if the set already contains the pair.
  bool add(Pair pair);

 private:
  struct Slot {
    Pair pair;
    uint32_t round = 0;
  };

  Slot& slot_of(std::vector<Slot>& slots, Pair pair) const;

  std::vector<Slot> slots_;
  uint32_t round_ = 0;
  size_t count_ = 0;
};

class PairSets {
 public:
  // The empty set is number 0.
  PairSets();

  // The number of a set. Sorts `pairs` and removes duplicates.
  uint32_t number_of(std::vector<Pair>& pairs);
  std::span<const Pair> operator[](uint32_t set) const {
    return std::span(pairs_).subspan(begins_[set], begins_[set + 1] - begins_[set]);
  }
  uint32_t size() const { return static_cast<uint32_t>(begins_.size() - 1); }
  // Number of pairs in all sets together.
  size_t pairs() const { return pairs_.size(); }

 private:
  void grow();

  std::vector<Pair> pairs_;
  std::vector<uint32_t> begins_;  // of each set in `pairs_`, and the end of the last
  std::vector<uint32_t> table_;   // open addressing: numbers of sets, 0 where there is none
};

}  // namespace quintet::grammar
