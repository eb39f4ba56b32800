#pragma once
// From which states of a graph the end of a rule can be reached.

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/graph.h"

namespace quintet::grammar {

// Edges in the order of the states that they leave.
class EdgesByState {
 public:
  EdgesByState(std::vector<Edge> edges, std::vector<uint32_t> ends)
      : edges_(std::move(edges)), ends_(std::move(ends)) {}

  std::span<const Edge> of(State state) const {
    const uint32_t begin = state == 0 ? 0 : ends_[state - 1];
    return std::span(edges_).subspan(begin, ends_[state] - begin);
  }

 private:
  std::vector<Edge> edges_;
  std::vector<uint32_t> ends_;
};

EdgesByState edges_by_state(const Graph& graph);

// By empty moves, and calls of rules that may be empty; or by any text at all.
enum class EndBy : uint8_t { empty_moves, any_text };

// For each state, whether its rule can end from there. Takes linear time.
std::vector<bool> states_with_end(const Graph& graph, EndBy by);

}  // namespace quintet::grammar
