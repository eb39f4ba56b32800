#include "grammar/reachability.h"

#include <utility>

namespace quintet::grammar {
namespace {

// Edges in the order of what `key` gives, below `keys`, without those for which it gives `keys`.
template <class Key>
EdgesByState grouped(const Graph& graph, size_t keys, Key key) {
  std::vector<uint32_t> ends(keys + 1);
  for (const Edge& edge : graph.edges) ++ends[key(edge)];
  uint32_t sum = 0;
  for (uint32_t& end : ends) end = std::exchange(sum, sum + end);
  std::vector<Edge> edges(graph.edges.size());
  for (const Edge& edge : graph.edges) edges[ends[key(edge)]++] = edge;
  return {std::move(edges), std::move(ends)};
}

}  // namespace

EdgesByState edges_by_state(const Graph& graph) {
  return grouped(graph, graph.states, [](const Edge& edge) { return edge.from; });
}

// Backwards from the ends of rules. An edge that calls a rule leads on when both the rule and what follows the call can
// end; whichever is found later follows it.
std::vector<bool> states_with_end(const Graph& graph, EndBy by) {
  const EdgesByState into = grouped(graph, graph.states, [](const Edge& edge) { return edge.to; });
  const EdgesByState calling = grouped(graph, graph.rules.size(), [&](const Edge& edge) {
    return edge.kind == Edge::Kind::call ? edge.index : static_cast<uint32_t>(graph.rules.size());
  });
  // The rule that begins at a state, if any.
  std::vector<uint32_t> begins(graph.states, kUnbounded);
  std::vector<bool> found(graph.states);
  std::vector<State> left;
  const auto reach = [&](State state) {
    if (found[state]) return;
    found[state] = true;
    left.push_back(state);
  };
  for (uint32_t rule = 0; rule < graph.rules.size(); ++rule) {
    begins[graph.rules[rule].start] = rule;
    reach(graph.rules[rule].end);
  }
  while (!left.empty()) {
    const State state = left.back();
    left.pop_back();
    for (const Edge& edge : into.of(state)) {
      if (edge.kind == Edge::Kind::call) {
        if (found[graph.rules[edge.index].start]) reach(edge.from);
      } else if (edge.kind == Edge::Kind::empty || by == EndBy::any_text) {
        reach(edge.from);
      }
    }
    if (begins[state] == kUnbounded) continue;
    for (const Edge& edge : calling.of(begins[state])) {
      if (found[edge.to]) reach(edge.from);
    }
  }
  return found;
}

}  // namespace quintet::grammar
