#include "tokenizers/sentencepiece/piece_trie.h"

#include <algorithm>

#include "base/order.h"

namespace quintet {
namespace {

// Pieces with a common prefix that leads to a node, as positions in their sorted list.
struct Group {
  size_t begin, end;
  size_t depth;
};

}  // namespace

PieceTrie::PieceTrie(const StringTable& pieces, std::vector<uint32_t> ids) {
  heap_sort(ids, [&pieces](uint32_t a, uint32_t b) {
    const int order = pieces[a].compare(pieces[b]);
    return order != 0 ? order < 0 : a < b;
  });

  std::vector<Group> groups = {{0, ids.size(), 0}};  // one per node
  labels_.push_back(0);
  for (size_t node = 0; node < groups.size(); ++node) {
    auto [at, end, depth] = groups[node];
    first_child_.push_back(static_cast<uint32_t>(groups.size()));
    ids_.push_back(kNone);
    for (; at < end && pieces[ids[at]].size() == depth; ++at) {
      if (depth > 0) ids_.back() = ids[at];
    }
    while (at < end) {
      const char label = pieces[ids[at]][depth];
      const size_t begin = at;
      while (at < end && pieces[ids[at]][depth] == label) ++at;
      groups.push_back({begin, at, depth + 1});
      labels_.push_back(static_cast<uint8_t>(label));
    }
  }
  first_child_.push_back(static_cast<uint32_t>(groups.size()));

  from_root_.fill(kNone);
  for (uint32_t child = first_child_[kRoot]; child < first_child_[kRoot + 1]; ++child) {
    from_root_[labels_[child]] = child;
  }
}

uint32_t PieceTrie::step(uint32_t node, char byte) const {
  const auto label = static_cast<uint8_t>(byte);
  if (node == kRoot) return from_root_[label];
  uint32_t first = first_child_[node];
  uint32_t last = first_child_[node + 1];
  while (first < last) {
    const uint32_t middle = first + (last - first) / 2;
    if (labels_[middle] == label) return middle;
    if (labels_[middle] < label) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return kNone;
}

std::optional<PieceTrie::Match> PieceTrie::longest(std::string_view text, size_t at) const {
  std::optional<Match> match;
  uint32_t node = kRoot;
  for (size_t i = at; i < text.size(); ++i) {
    node = step(node, text[i]);
    if (node == kNone) break;
    if (ids_[node] != kNone) match = Match{ids_[node], i + 1 - at};
  }
  return match;
}

}  // namespace quintet
