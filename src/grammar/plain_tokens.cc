#include "grammar/plain_tokens.h"

#include <algorithm>

namespace quintet::grammar {
namespace {

// The masks of one set of kinds take 0.6 MB for a vocabulary of 150,000 tokens.
constexpr size_t kMaxKnown = 8;

}  // namespace

std::span<const uint32_t> PlainTokens::mask(Kinds kinds, uint32_t characters) {
  return of(kinds).masks[std::min(characters, kMaxCounted + 1)];
}

const PlainTokens::OfKinds& PlainTokens::of(Kinds kinds) {
  if (const auto known = known_.find(kinds); known != known_.end()) return known->second;
  if (known_.size() == kMaxKnown) known_.clear();
  return known_.emplace(kinds, OfKinds{.masks = masks_of(kinds), .others = others_of(kinds)}).first->second;
}

std::vector<Mask> PlainTokens::masks_of(Kinds kinds) const {
  std::vector<Mask> masks(kMaxCounted + 2, Mask(mask_words(vocabulary_.size())));
  const auto tokens = vocabulary_.tokens();
  const auto descriptions = vocabulary_.descriptions();
  for (size_t i = 0; i < tokens.size(); ++i) {
    if ((descriptions[i].kinds & ~kinds) != 0) continue;
    add(tokens[i], masks[std::min(uint32_t{descriptions[i].characters}, kMaxCounted + 1)]);
  }
  for (size_t count = 1; count < masks.size(); ++count) {
    for (size_t word = 0; word < masks[count].size(); ++word) masks[count][word] |= masks[count - 1][word];
  }
  return masks;
}

// Goes no further than the first byte of another kind: of a vocabulary in many scripts, an ASCII text needs few nodes.
std::vector<PlainTokens::Other> PlainTokens::others_of(Kinds kinds) const {
  const auto nodes = vocabulary_.nodes();
  std::vector<Other> others;
  std::vector<uint32_t> open;  // of the list, those whose subtree continues
  const auto close = [&](uint32_t at) {
    while (!open.empty() && nodes[others[open.back()].node].end <= at) {
      others[open.back()].end = static_cast<uint32_t>(others.size());
      open.pop_back();
    }
  };
  const auto last = static_cast<uint32_t>(nodes.size() - 1);
  for (uint32_t at = 1; at < last;) {
    close(at);
    const Vocabulary::Node& node = nodes[at];
    if ((node.token_kinds & ~kinds) == 0 && node.longest <= kMaxCounted) {
      at = node.end;
      continue;
    }
    const Kinds own = node.byte < 0x80 ? kind_of_ascii(node.byte) : kNearSpaces | kBeyondAscii;
    const bool is_left = (own & kinds) == 0;
    open.push_back(static_cast<uint32_t>(others.size()));
    others.push_back({.node = at, .is_left = is_left});
    at = is_left ? node.end : at + 1;
  }
  close(last);
  return others;
}

}  // namespace quintet::grammar
