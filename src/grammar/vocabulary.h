#pragma once
// The tokens of a model as a tree of their bytes, so that what they begin with is looked at once for all of them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quintet::grammar {

// Bits of the kinds of characters that grammars tend to treat the same way.
using Kinds = uint32_t;
constexpr Kinds kNearSpaces = Kinds{1} << 29;   // whole characters of several bytes: white space and its neighbors
constexpr Kinds kBeyondAscii = Kinds{1} << 30;  // all others of several bytes
constexpr Kinds kBroken = Kinds{1} << 31;       // bytes that are not whole characters by themselves
Kinds kind_of_ascii(uint8_t byte);
// The kinds of characters that begin with these two bytes.
Kinds kind_beyond_ascii(uint8_t lead, uint8_t second);
// Kinds with all small letters: there are many tokens of these.
inline bool is_text(Kinds kinds) { return (kinds & kind_of_ascii('a')) != 0; }

// Numbers of characters that are distinguished.
constexpr uint32_t kMaxCounted = 32;

class Vocabulary {
 public:
  // A node is one byte of tokens that begin with the same bytes. Nodes are in the order of a walk through the tree:
  // those below a node follow it, up to `end`.
  struct Node {
    uint32_t end = 0;
    uint32_t tokens = 0;      // where its tokens begin in tokens(); they end where those of the next node begin
    uint32_t kinds = 0;       // of all characters below it
    uint16_t characters = 0;  // the most that a token has below it
    uint16_t depth = 0;       // number of bytes, 0 for the root
    uint16_t longest = 0;     // the most characters of a token at or below it, as a whole
    uint8_t byte = 0;
    Kinds token_kinds = 0;  // of the tokens at or below it, as a whole
  };

  // A token as a text.
  struct Description {
    Kinds kinds = 0;
    uint16_t characters = 0;
  };

  static constexpr size_t kMaxTokenBytes = UINT16_MAX;

  // `bytes`: those of all tokens, one after another; `ends`: where each ends. Tokens without bytes, such as control
  // tokens, are not in the tree, nor are those longer than kMaxTokenBytes. `stops`: tokens that end a text.
  Vocabulary(std::string bytes, std::vector<uint32_t> ends, std::vector<uint32_t> stops);

  size_t size() const { return ends_.size(); }
  std::string_view bytes_of(uint32_t id) const {
    const uint32_t begin = id == 0 ? 0 : ends_[id - 1];
    return std::string_view(bytes_).substr(begin, ends_[id] - begin);
  }
  // No bytes for an id that is not a token.
  std::string_view bytes_of_any(uint32_t id) const { return id < size() ? bytes_of(id) : std::string_view(); }
  std::span<const uint32_t> stops() const { return stops_; }
  bool is_stop(uint32_t id) const;

  // The root first, and one more entry after the last node.
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const uint32_t> tokens() const { return tokens_; }
  // Parallel to tokens().
  std::span<const Description> descriptions() const { return descriptions_; }
  size_t depth() const { return depth_; }

 private:
  void sort_tokens();
  void build_tree();
  void describe_subtrees();

  std::string bytes_;
  std::vector<uint32_t> ends_;
  std::vector<uint32_t> stops_;
  std::vector<uint32_t> tokens_;  // in the order of their bytes
  std::vector<Description> descriptions_;
  std::vector<Node> nodes_;
  size_t depth_ = 0;  // of the deepest node
};

}  // namespace quintet::grammar
