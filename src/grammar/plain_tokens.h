#pragma once
// The tokens of a vocabulary that are made of characters of certain kinds, as masks by their number of characters: what
// may follow in a text whose remaining length is bounded.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "grammar/vocabulary.h"

namespace quintet::grammar {

// One bit for each token, the lowest of the first word first.
using Mask = std::vector<uint32_t>;

constexpr uint32_t kMaskWordBits = 32;
inline size_t mask_words(size_t tokens) { return (tokens + kMaskWordBits - 1) / kMaskWordBits; }
inline void add(uint32_t token, Mask& mask) { mask[token / kMaskWordBits] |= uint32_t{1} << (token % kMaskWordBits); }

class PlainTokens {
 public:
  // A node of the tree with other tokens, or with longer ones, at or below it.
  struct Other {
    uint32_t node = 0;
    uint32_t end = 0;      // where those below it end in the list
    bool is_left = false;  // its byte is of no such kind: of the nodes below it, none is in the list, but all count
  };

  // Must outlive it.
  explicit PlainTokens(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Tokens of these kinds with at most `characters` characters; beyond kMostCounted, with any number. Valid until the
  // next call.
  std::span<const uint32_t> mask(Kinds kinds, uint32_t characters);
  // In the order of the tree. Valid as long.
  std::span<const Other> others(Kinds kinds) { return of(kinds).others; }

 private:
  struct OfKinds {
    std::vector<Mask> masks;  // by numbers of characters
    std::vector<Other> others;
  };

  const OfKinds& of(Kinds kinds);
  std::vector<Mask> masks_of(Kinds kinds) const;
  std::vector<Other> others_of(Kinds kinds) const;

  const Vocabulary& vocabulary_;
  std::map<Kinds, OfKinds> known_;
};

}  // namespace quintet::grammar
