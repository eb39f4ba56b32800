#include "grammar/vocabulary.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace quintet::grammar {

// Letters, digits, spaces and control characters are one kind each, and so are the two that no text in JSON has as they
// are; the other characters of ASCII share the remaining bits.
Kinds kind_of_ascii(uint8_t byte) {
  const uint8_t lower = byte | 0x20;
  if (lower >= 'a' && lower <= 'z') return byte == lower ? 0x1 : 0x2;
  if (byte >= '0' && byte <= '9') return 0x4;
  if (byte == ' ') return 0x8;
  if (byte == '"') return 0x10;
  if (byte == '\\') return 0x20;
  if (byte < ' ' || byte == 0x7F) return 0x40;
  constexpr uint32_t kFirst = 7;
  constexpr uint32_t kBits = 22;
  return Kinds{1} << (kFirst + byte % kBits);
}

// All characters that the "." or "\S" of a regular expression leaves out are near: U+A0, U+1680, U+2000 to U+205F,
// U+3000, U+FEFF.
Kinds kind_beyond_ascii(uint8_t lead, uint8_t second) {
  const bool near = (lead == 0xC2 && second == 0xA0) || (lead == 0xE1 && second == 0x9A) ||
                    (lead == 0xE2 && second <= 0x81) || (lead == 0xE3 && second == 0x80) ||
                    (lead == 0xEF && second == 0xBB);
  return near ? kNearSpaces : kBeyondAscii;
}

Vocabulary::Vocabulary(std::string bytes, std::vector<uint32_t> ends, std::vector<uint32_t> stops)
    : bytes_(std::move(bytes)), ends_(std::move(ends)), stops_(std::move(stops)) {
  sort_tokens();
  build_tree();
  describe_subtrees();
}

bool Vocabulary::is_stop(uint32_t id) const { return std::ranges::find(stops_, id) != stops_.end(); }

// Sorts by the first two bytes in linear time, and only within these groups by comparison: a third of the time for a
// large vocabulary.
void Vocabulary::sort_tokens() {
  constexpr size_t kGroups = size_t{1} << 16;
  const auto group_of = [](std::string_view bytes) {
    const size_t second = bytes.size() > 1 ? static_cast<uint8_t>(bytes[1]) : 0;
    return size_t{static_cast<uint8_t>(bytes[0])} << 8 | second;
  };
  std::vector<uint32_t> begins(kGroups + 1);
  std::vector<uint32_t> used;
  for (uint32_t id = 0; id < size(); ++id) {
    const auto bytes = bytes_of(id);
    if (bytes.empty() || bytes.size() > kMaxTokenBytes || is_stop(id)) continue;
    used.push_back(id);
    ++begins[group_of(bytes) + 1];
  }
  for (size_t group = 0; group < kGroups; ++group) begins[group + 1] += begins[group];
  tokens_.resize(used.size());
  std::vector<uint32_t> next(begins.begin(), begins.end() - 1);
  for (const uint32_t id : used) tokens_[next[group_of(bytes_of(id))]++] = id;
  for (size_t group = 0; group < kGroups; ++group) {
    const auto tokens = std::span(tokens_).subspan(begins[group], begins[group + 1] - begins[group]);
    if (tokens.size() > 1) std::ranges::sort(tokens, {}, [this](uint32_t id) { return bytes_of(id); });
  }
}

void Vocabulary::build_tree() {
  std::vector<uint32_t> open = {0};  // the nodes from the root to the last token
  nodes_.push_back({});
  const auto close = [&](size_t depth) {
    while (open.size() > depth) {
      nodes_[open.back()].end = static_cast<uint32_t>(nodes_.size());
      open.pop_back();
    }
  };
  std::string_view last;
  for (uint32_t i = 0; i < tokens_.size(); ++i) {
    const auto bytes = bytes_of(tokens_[i]);
    const auto common = static_cast<size_t>(std::ranges::mismatch(last, bytes).in1 - last.begin());
    if (common < bytes.size()) close(common + 1);
    for (size_t depth = common; depth < bytes.size(); ++depth) {
      open.push_back(static_cast<uint32_t>(nodes_.size()));
      // Until the token itself, there are none at its nodes.
      nodes_.push_back(
          {.tokens = i, .depth = static_cast<uint16_t>(depth + 1), .byte = static_cast<uint8_t>(bytes[depth])});
    }
    depth_ = std::max(depth_, bytes.size());
    last = bytes;
  }
  close(0);
  nodes_.push_back({.end = static_cast<uint32_t>(nodes_.size() + 1), .tokens = static_cast<uint32_t>(tokens_.size())});
}

// Goes from the leaves to the root. The bytes below a node are read as UTF-8 that begins there, regardless of what is
// above.
void Vocabulary::describe_subtrees() {
  struct Place {
    uint32_t parent = 0;
    uint8_t missing = 0;  // bytes of a character that has begun
    bool broken = false;
    Kinds own = 0;          // known from the first byte in ASCII, otherwise from the second
    Description text = {};  // of the bytes up to here
  };
  const auto count = static_cast<uint32_t>(nodes_.size() - 1);
  std::vector<Place> places(count);
  std::vector<uint32_t> path(depth_ + 1);
  descriptions_.resize(tokens_.size());
  for (uint32_t at = 1; at < count; ++at) {
    Node& node = nodes_[at];
    Place& place = places[at];
    place.parent = path[node.depth - 1];
    path[node.depth] = at;
    const uint8_t before = places[place.parent].missing;
    const uint8_t byte = node.byte;
    const bool continues = is_utf8_continuation(static_cast<char>(byte));
    if (before > 0 && continues) {
      place.missing = static_cast<uint8_t>(before - 1);
      // Not all continuations may follow these leads (base/utf8.cc).
      const uint8_t lead = nodes_[place.parent].byte;
      place.broken = (lead == 0xE0 && byte < 0xA0) || (lead == 0xED && byte > 0x9F) || (lead == 0xF0 && byte < 0x90) ||
                     (lead == 0xF4 && byte > 0x8F);
      if (lead >= 0xC2) place.own = kind_beyond_ascii(lead, byte);
    } else if (byte < 0x80) {
      place.broken = before > 0;
      place.own = kind_of_ascii(byte);
    } else {
      const bool lead = byte >= 0xC2 && byte <= 0xF4;
      place.missing = !lead ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
      place.broken = before > 0 || !lead;
    }
    if (place.broken) place.own |= kBroken;
    const Description& parent = places[place.parent].text;
    const int characters = parent.characters + (continues ? 0 : 1);
    place.text = {.kinds = parent.kinds | place.own,
                  .characters = static_cast<uint16_t>(std::min(characters, int{UINT16_MAX}))};
    for (uint32_t i = node.tokens; i < nodes_[at + 1].tokens; ++i) {
      descriptions_[i] = place.text;
      if (place.missing > 0) descriptions_[i].kinds |= kBroken;
      node.token_kinds = descriptions_[i].kinds;
      node.longest = place.text.characters;
    }
  }
  for (uint32_t at = count; at-- > 1;) {
    const Node& node = nodes_[at];
    const Place& place = places[at];
    Node& parent = nodes_[place.parent];
    const bool has_token = nodes_[at + 1].tokens > node.tokens;
    Kinds kinds = node.kinds | place.own;
    if (place.missing > 0 && has_token) kinds |= kBroken;
    parent.kinds |= kinds;
    parent.token_kinds |= node.token_kinds;
    parent.longest = std::max(parent.longest, node.longest);
    const bool begins = !is_utf8_continuation(static_cast<char>(node.byte));
    const int below = node.characters + (begins ? 1 : 0);
    parent.characters = std::max(parent.characters, static_cast<uint16_t>(std::min(below, int{UINT16_MAX})));
  }
  // Only whole characters begin at the others.
  for (uint32_t at = 1; at < count; ++at) {
    if (places[at].missing > 0) nodes_[at].kinds |= kBroken;
  }
}

}  // namespace quintet::grammar
