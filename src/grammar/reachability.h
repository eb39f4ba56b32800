#pragma once
// Finds the states of a graph from which the end of a rule can be reached.

#include <cstdint>
#include <span>
#include <vector>

#include "base/flag_list.h"
#include "grammar/graph.h"

namespace quintet::grammar {

// Edges in the order of the states that they leave or reach, or of the rules that they call.
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

// For each state, whether its rule can end from there.
struct StatesWithEnd {
  FlagList by_empty_moves;  // and by calls of rules that may be empty
  FlagList by_any_text;
};

// Takes linear time.
StatesWithEnd states_with_end(const Graph& graph);

}  // namespace quintet::grammar
