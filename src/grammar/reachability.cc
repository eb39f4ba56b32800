#include "grammar/reachability.h"

#include <utility>

#include "base/flag_list.h"

namespace quintet::grammar {
namespace {

// Edges in the order of what `key` gives, which is below `keys`.
template <class Key>
EdgesByState grouped(std::span<const Edge> edges, size_t keys, Key key) {
  std::vector<uint32_t> ends(keys);
  for (const Edge& edge : edges) ++ends[key(edge)];
  uint32_t sum = 0;
  for (uint32_t& end : ends) end = std::exchange(sum, sum + end);
  std::vector<Edge> ordered(edges.size());
  for (const Edge& edge : edges) ordered[ends[key(edge)]++] = edge;
  return {std::move(ordered), std::move(ends)};
}

// Goes backwards from the ends of rules. An edge that calls a rule leads on when both the rule and what follows the
// call can end; whichever is found later follows it.
class EndFinder {
 public:
  explicit EndFinder(const Graph& graph)
      : graph_(graph),
        into_(grouped(graph.edges, graph.states, [](const Edge& edge) { return edge.to; })),
        calling_(edges_by_rule(graph)),
        begins_(graph.states, kUnbounded) {
    for (uint32_t rule = 0; rule < graph.rules.size(); ++rule) begins_[graph.rules[rule].start] = rule;
  }

  FlagList find(bool by_any_text) const;

 private:
  static EdgesByState edges_by_rule(const Graph& graph) {
    std::vector<Edge> calls;
    for (const Edge& edge : graph.edges) {
      if (edge.kind == Edge::Kind::call) calls.push_back(edge);
    }
    return grouped(calls, graph.rules.size(), [](const Edge& edge) { return edge.index; });
  }

  const Graph& graph_;
  EdgesByState into_;
  EdgesByState calling_;          // by the called rule
  std::vector<uint32_t> begins_;  // the rule that begins at a state, if any
};

FlagList EndFinder::find(bool by_any_text) const {
  FlagList found(graph_.states);
  std::vector<State> left;
  const auto reach = [&](State state) {
    if (found[state]) return;
    found[state] = true;
    left.push_back(state);
  };
  for (const RuleGraph& rule : graph_.rules) reach(rule.end);
  while (!left.empty()) {
    const State state = left.back();
    left.pop_back();
    for (const Edge& edge : into_.of(state)) {
      if (edge.kind == Edge::Kind::call) {
        if (found[graph_.rules[edge.index].start]) reach(edge.from);
      } else if (edge.kind == Edge::Kind::empty || by_any_text) {
        reach(edge.from);
      }
    }
    if (begins_[state] == kUnbounded) continue;
    for (const Edge& edge : calling_.of(begins_[state])) {
      if (found[edge.to]) reach(edge.from);
    }
  }
  return found;
}

}  // namespace

EdgesByState edges_by_state(const Graph& graph) {
  return grouped(graph.edges, graph.states, [](const Edge& edge) { return edge.from; });
}

StatesWithEnd states_with_end(const Graph& graph) {
  const EndFinder ends(graph);
  return {.by_empty_moves = ends.find(false), .by_any_text = ends.find(true)};
}

}  // namespace quintet::grammar
