#pragma once
// The first form of an automaton: states and edges as they follow from a grammar's expressions (Thompson 1968,
// doi:10.1145/363347.363387), with empty moves.

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "grammar/automaton.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

struct Edge {
  enum class Kind : uint8_t { empty, byte, call, token };

  State from = 0;
  State to = 0;
  uint32_t index = 0;  // of the called rule or of the token
  Kind kind = Kind::empty;
  uint8_t first = 0;  // of bytes
  uint8_t last = 0;
  bool negated = false;
};

// A rule that is called: small ones were copied instead.
struct RuleGraph {
  State start = 0;
  State end = 0;
  uint32_t source = 0;  // its number in the grammar
};

struct Graph {
  std::vector<Edge> edges;
  std::vector<RuleGraph> rules;
  uint32_t states = 0;
  uint32_t root = 0;
};

// INPUT if the grammar needs more than kMaxEdges.
constexpr size_t kMaxEdges = size_t{1} << 20;
Result<Graph> build_graph(const Syntax& syntax);

}  // namespace quintet::grammar
