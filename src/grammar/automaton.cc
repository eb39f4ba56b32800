#include "grammar/automaton.h"

#include <algorithm>
#include <string>
#include <utility>

#include "grammar/graph.h"
#include "grammar/reachability.h"

namespace quintet::grammar {

// Removes empty moves, and states without an end, from a graph.
class AutomatonCompiler {
 public:
  AutomatonCompiler(const Syntax& syntax, Graph graph)
      : syntax_(syntax),
        graph_(std::move(graph)),
        edges_(edges_by_state(graph_)),
        with_end_(states_with_end(graph_)),
        numbers_(graph_.states, kUnbounded),
        seen_(graph_.states, kUnbounded) {}

  Result<Automaton> compile();

 private:
  // Work that eliminating empty moves may take, in edges: a grammar may have a quadratic number of them.
  static constexpr size_t kMaxWork = size_t{1} << 23;

  Status order_rules();
  std::vector<uint32_t> first_calls(uint32_t rule);
  Failure left_recursion(std::span<const uint32_t> path, uint32_t again) const;
  void add_state(State state);
  void divide_bytes();
  // Everything reached from `state` by empty moves and calls of rules that may be empty.
  template <class Visit>
  void visit_edges(State state, Visit visit);
  State number_of(State state);
  bool may_be_empty(uint32_t rule) const { return with_end_.by_empty_moves[graph_.rules[rule].start]; }
  bool has_end(uint32_t rule) const { return with_end_.by_any_text[graph_.rules[rule].start]; }

  const Syntax& syntax_;
  Graph graph_;
  EdgesByState edges_;
  StatesWithEnd with_end_;
  std::vector<State> numbers_;  // of states in the automaton
  std::vector<State> states_;   // and vice versa
  std::vector<State> seen_;     // for each state, the last one whose edges include it
  size_t work_ = 0;
  Automaton automaton_;
};

Result<Automaton> AutomatonCompiler::compile() {
  QUINTET_CHECK(order_rules());
  if (!has_end(graph_.root)) return input_error(Reason::malformed, "grammar: no text ever ends as the rule root does");
  automaton_.root_ = graph_.root;
  for (const RuleGraph& rule : graph_.rules) {
    automaton_.starts_.push_back(with_end_.by_any_text[rule.start] ? number_of(rule.start) : kUnbounded);
  }
  for (size_t i = 0; i < states_.size() && work_ < kMaxWork; ++i) add_state(states_[i]);
  if (work_ >= kMaxWork) {
    return input_error(Reason::limit, "grammar: too many alternatives may be empty: use fewer of them in a row");
  }
  add_state(kUnbounded);
  divide_bytes();
  automaton_.token_names_.assign(syntax_.tokens.begin(), syntax_.tokens.end());
  return std::move(automaton_);
}

template <class Visit>
void AutomatonCompiler::visit_edges(State state, Visit visit) {
  std::vector<State> left = {state};
  seen_[state] = state;
  const auto reach = [&](State next) {
    if (seen_[next] == state) return;
    seen_[next] = state;
    left.push_back(next);
  };
  while (!left.empty() && work_ < kMaxWork) {
    const State at = left.back();
    left.pop_back();
    ++work_;
    for (const Edge& edge : edges_.of(at)) {
      ++work_;
      if (edge.kind == Edge::Kind::empty) {
        reach(edge.to);
      } else {
        visit(edge);
        if (edge.kind == Edge::Kind::call && may_be_empty(edge.index)) reach(edge.to);
      }
    }
  }
}

std::vector<uint32_t> AutomatonCompiler::first_calls(uint32_t rule) {
  std::vector<uint32_t> called;
  visit_edges(graph_.rules[rule].start, [&](const Edge& edge) {
    if (edge.kind == Edge::Kind::call) called.push_back(edge.index);
  });
  return called;
}

// Depth first, without recursion: a chain of rules can be as long as the grammar.
Status AutomatonCompiler::order_rules() {
  struct Step {
    std::vector<uint32_t> called;
    size_t next = 0;
  };
  constexpr uint32_t kNew = kUnbounded;
  constexpr uint32_t kOpen = kUnbounded - 1;
  std::vector<uint32_t>& order = automaton_.order_;
  order.assign(graph_.rules.size(), kNew);
  auto last = static_cast<uint32_t>(graph_.rules.size());
  std::vector<uint32_t> path;
  std::vector<Step> steps;
  const auto enter = [&](uint32_t rule) {
    order[rule] = kOpen;
    path.push_back(rule);
    steps.push_back({.called = first_calls(rule)});
  };
  for (uint32_t rule = 0; rule < graph_.rules.size(); ++rule) {
    if (order[rule] == kNew) enter(rule);
    while (!path.empty()) {
      Step& step = steps.back();
      if (step.next < step.called.size()) {
        const uint32_t called = step.called[step.next++];
        if (order[called] == kOpen) return left_recursion(path, called);
        if (order[called] == kNew) enter(called);
      } else {
        order[path.back()] = --last;
        path.pop_back();
        steps.pop_back();
      }
    }
  }
  std::ranges::fill(seen_, kUnbounded);
  return {};
}

Failure AutomatonCompiler::left_recursion(std::span<const uint32_t> path, uint32_t again) const {
  std::string names;
  const auto begin = std::ranges::find(path, again);
  size_t shown = 0;
  for (auto rule = begin; rule != path.end(); ++rule, ++shown) {
    if (shown == 8) names += " ... ->";
    if (shown < 8) names += formatted(" {} ->", syntax_.rules[graph_.rules[*rule].source].name);
  }
  const std::string& name = syntax_.rules[graph_.rules[again].source].name;
  return input_error(Reason::malformed, "grammar: left recursion:{} {}: write it as a repetition", names, name);
}

State AutomatonCompiler::number_of(State state) {
  if (numbers_[state] == kUnbounded) {
    numbers_[state] = static_cast<State>(states_.size());
    states_.push_back(state);
  }
  return numbers_[state];
}

// Adds the edges of a state; those of kUnbounded, which has none, mark the end.
void AutomatonCompiler::add_state(State state) {
  const auto size = [](const auto& edges) { return static_cast<uint32_t>(edges.size()); };
  Automaton& out = automaton_;
  out.states_.push_back({.bytes = size(out.byte_edges_), .calls = size(out.calls_), .tokens = size(out.token_edges_)});
  if (state == kUnbounded) return;
  out.states_.back().final = with_end_.by_empty_moves[state];
  visit_edges(state, [&](const Edge& edge) {
    if (!with_end_.by_any_text[edge.to]) return;
    if (edge.kind == Edge::Kind::byte) {
      out.byte_edges_.push_back({edge.first, edge.last, number_of(edge.to)});
    } else if (edge.kind == Edge::Kind::token) {
      out.token_edges_.push_back({edge.index, edge.negated, number_of(edge.to)});
    } else if (has_end(edge.index)) {
      out.calls_.push_back({edge.index, number_of(edge.to)});
    }
  });
}

void AutomatonCompiler::divide_bytes() {
  std::array<bool, 257> begins = {};
  for (const ByteEdge& edge : automaton_.byte_edges_) {
    begins[edge.first] = true;
    begins[size_t{edge.last} + 1] = true;
  }
  uint32_t classes = 1;
  for (size_t byte = 0; byte < 256; ++byte) {
    if (byte > 0 && begins[byte]) ++classes;
    automaton_.byte_classes_[byte] = static_cast<uint8_t>(classes - 1);
  }
  automaton_.n_byte_classes_ = classes;
}

Result<Automaton> Automaton::compile(Syntax syntax) {
  QUINTET_TRY(Graph graph, build_graph(syntax));
  return AutomatonCompiler(syntax, std::move(graph)).compile();
}

}  // namespace quintet::grammar
