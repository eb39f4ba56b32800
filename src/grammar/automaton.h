#pragma once
// A grammar as one automaton over bytes. Each rule is a part of it that ends in a final state; a state calls a rule and
// continues elsewhere when that is over (a pushdown automaton, or "recursive transition network": Woods 1970,
// doi:10.1145/355598.362773). Characters are their UTF-8, so a text may be cut anywhere.
//
// Small rules that cannot repeat without end are copied into the places that call them. There are no empty moves, and
// no state from which a text can never end: as long as any state is left, the text so far can be completed.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/result.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

using State = uint32_t;

// Any byte from `first` to `last` leads to `target`.
struct ByteEdge {
  uint8_t first = 0;
  uint8_t last = 0;
  State target = 0;
};

// The rule that begins at `start` is called; after it comes `then`.
struct Call {
  uint32_t rule = 0;
  State then = 0;
};

// The token `token` of the grammar or, if `negated`, any other, leads to `target`.
struct TokenEdge {
  uint32_t token = 0;
  bool negated = false;
  State target = 0;
};

class Automaton {
 public:
  // INPUT for left recursion, for a grammar that no text matches, and for one that needs too many states.
  static Result<Automaton> compile(Syntax syntax);

  std::span<const ByteEdge> bytes(State state) const {
    return part(byte_edges_, states_[state].bytes, states_[state + 1].bytes);
  }
  std::span<const Call> calls(State state) const {
    return part(calls_, states_[state].calls, states_[state + 1].calls);
  }
  std::span<const TokenEdge> tokens(State state) const {
    return part(token_edges_, states_[state].tokens, states_[state + 1].tokens);
  }
  // Whether the rule of the state may end here.
  bool is_final(State state) const { return states_[state].final; }
  // Whether nothing but the end can follow.
  bool only_ends(State state) const { return bytes(state).empty() && calls(state).empty() && tokens(state).empty(); }

  State start(uint32_t rule) const { return starts_[rule]; }
  size_t rules() const { return starts_.size(); }
  uint32_t root() const { return root_; }
  // A rule's place in an order in which those that begin with a call of another come before it.
  uint32_t order(uint32_t rule) const { return order_[rule]; }

  std::span<const TokenName> token_names() const { return token_names_; }

  // Bytes that no edge distinguishes have the same class.
  std::span<const uint8_t, 256> byte_classes() const { return byte_classes_; }
  uint32_t n_byte_classes() const { return n_byte_classes_; }

 private:
  friend class AutomatonCompiler;

  struct Offsets {
    uint32_t bytes = 0;
    uint32_t calls = 0;
    uint32_t tokens = 0;
    bool final = false;
  };

  template <class T>
  static std::span<const T> part(const std::vector<T>& all, uint32_t begin, uint32_t end) {
    return std::span(all).subspan(begin, end - begin);
  }

  std::vector<Offsets> states_;  // and one more, where the last one ends
  std::vector<ByteEdge> byte_edges_;
  std::vector<Call> calls_;
  std::vector<TokenEdge> token_edges_;
  std::vector<State> starts_;
  std::vector<uint32_t> order_;
  uint32_t root_ = 0;
  std::vector<TokenName> token_names_;
  std::array<uint8_t, 256> byte_classes_ = {};
  uint32_t n_byte_classes_ = 0;
};

}  // namespace quintet::grammar
