#pragma once
// The pieces of a vocabulary as a trie: finds all pieces that a text starts with in one pass.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/string_table.h"

namespace quintet {

class PieceTrie {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kRoot = 0;

  struct Match {
    uint32_t id;
    size_t size;
  };

  // The trie of the pieces with these ids. The last of equal pieces is kept.
  PieceTrie(const StringTable& pieces, std::vector<uint32_t> ids);

  bool empty() const { return ids_.size() == 1; }
  // The child of a node for a byte, or kNone.
  uint32_t step(uint32_t node, char byte) const;
  // The piece that ends at a node, or kNone.
  uint32_t id_at(uint32_t node) const { return ids_[node]; }
  // The longest piece of the text at `at`.
  std::optional<Match> longest(std::string_view text, size_t at) const;

 private:
  // Nodes in breadth-first order, so the children of a node are adjacent, and end where those of the next one start.
  std::vector<uint32_t> ids_;
  std::vector<uint32_t> first_child_;  // one more than there are nodes
  std::vector<uint8_t> labels_;        // the byte that leads to the node
  std::array<uint32_t, 256> from_root_;
};

}  // namespace quintet
