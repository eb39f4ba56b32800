#include "grammar/graph.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "grammar/utf8_ranges.h"

namespace quintet::grammar {
namespace {

// Rules up to this size are copied to their callers: what they match is then looked at together with what follows, and
// a mask need not leave a rule after every character.
constexpr uint32_t kMaxCopiedSize = 64;
constexpr int kMaxCopiedDepth = 4;

class GraphBuilder {
 public:
  explicit GraphBuilder(const Syntax& syntax)
      : syntax_(syntax), sizes_(syntax.rules.size()), called_(syntax.rules.size(), kNone) {}

  Result<Graph> build();

 private:
  static constexpr uint32_t kNone = kUnbounded;
  static constexpr uint32_t kTooLarge = kMaxCopiedSize + 1;

  uint32_t size_of_rule(uint32_t rule, int depth);
  uint32_t size_of(const Expression& expression, int depth);

  // These build what leads to the state `next` and return where it begins.
  State build(const Expression& expression, State next);
  State build_literal(std::string_view text, State next);
  State build_characters(const CharacterSet& set, State next);
  State build_rule(uint32_t rule, State next);
  State build_choice(std::span<const Expression> parts, State next);
  State build_repeat(const Expression& expression, State next);

  uint32_t called(uint32_t rule);
  State new_state() { return graph_.states++; }
  State before(State next, Edge edge);
  void add(Edge edge);
  void add_empty(State from, State to) {
    if (from != to) add({.from = from, .to = to});
  }
  bool full() const { return graph_.edges.size() >= kMaxEdges || graph_.states >= kMaxEdges; }

  const Syntax& syntax_;
  std::vector<std::optional<uint32_t>> sizes_;  // of rules, as far as they are known
  std::vector<uint32_t> called_;                // the number of each rule in the graph
  Graph graph_;
};

Result<Graph> GraphBuilder::build() {
  graph_.root = called(static_cast<uint32_t>(syntax_.root));
  // Rules that nothing calls are built too, because mistakes in them are errors.
  for (uint32_t rule = 0; rule < syntax_.rules.size(); ++rule) {
    if (size_of_rule(rule, 0) >= kTooLarge) called(rule);
  }
  for (size_t i = 0; i < graph_.rules.size() && !full(); ++i) {
    const State start = build(syntax_.rules[graph_.rules[i].source].body, graph_.rules[i].end);
    add_empty(graph_.rules[i].start, start);
  }
  if (!full()) return std::move(graph_);
  return input_error(Reason::limit, "grammar: it needs more than {} states: use smaller bounds or fewer alternatives",
                     kMaxEdges);
}

// The number of states of a rule that can be copied; kTooLarge for others.
uint32_t GraphBuilder::size_of_rule(uint32_t rule, int depth) {
  if (sizes_[rule]) return *sizes_[rule];
  sizes_[rule] = kTooLarge;  // if it calls itself
  if (depth < kMaxCopiedDepth) sizes_[rule] = size_of(syntax_.rules[rule].body, depth + 1);
  return *sizes_[rule];
}

uint32_t GraphBuilder::size_of(const Expression& expression, int depth) {
  uint64_t size = 1;
  switch (expression.kind) {
    case Expression::Kind::literal:
      size = expression.text.size();
      break;
    case Expression::Kind::characters:
      size = utf8_ranges(expression.set).size() + 1;
      break;
    case Expression::Kind::rule:
      size = size_of_rule(expression.index, depth);
      break;
    case Expression::Kind::token:
      break;
    case Expression::Kind::sequence:
    case Expression::Kind::choice:
    case Expression::Kind::repeat:
      for (const Expression& part : expression.parts) {
        if (size < kTooLarge) size += size_of(part, depth);
      }
      if (expression.kind == Expression::Kind::repeat) size *= std::max(expression.max, 1U);
      break;
  }
  return static_cast<uint32_t>(std::min<uint64_t>(size, kTooLarge));
}

State GraphBuilder::build(const Expression& expression, State next) {
  if (full()) return next;
  switch (expression.kind) {
    case Expression::Kind::literal:
      return build_literal(expression.text, next);
    case Expression::Kind::characters:
      return build_characters(expression.set, next);
    case Expression::Kind::rule:
      return build_rule(expression.index, next);
    case Expression::Kind::token:
      return before(next, {.index = expression.index, .kind = Edge::Kind::token, .negated = expression.negated});
    case Expression::Kind::sequence:
      for (size_t i = expression.parts.size(); i-- > 0;) next = build(expression.parts[i], next);
      return next;
    case Expression::Kind::choice:
      return build_choice(expression.parts, next);
    case Expression::Kind::repeat:
      return build_repeat(expression, next);
  }
  return next;
}

State GraphBuilder::build_literal(std::string_view text, State next) {
  for (size_t i = text.size(); i-- > 0;) {
    const auto byte = static_cast<uint8_t>(text[i]);
    next = before(next, {.kind = Edge::Kind::byte, .first = byte, .last = byte});
  }
  return next;
}

// Sequences share the states of equal ends.
State GraphBuilder::build_characters(const CharacterSet& set, State next) {
  std::map<std::tuple<uint8_t, uint8_t, State>, State> ends;
  const State start = new_state();
  for (const ByteSequence& sequence : utf8_ranges(set)) {
    State target = next;
    for (size_t i = sequence.size; i-- > 1;) {
      const auto [first, last] = sequence.bytes[i];
      const auto [known, added] = ends.try_emplace({first, last, target}, 0);
      if (added) known->second = before(target, {.kind = Edge::Kind::byte, .first = first, .last = last});
      target = known->second;
    }
    const auto [first, last] = sequence.bytes[0];
    add({.from = start, .to = target, .kind = Edge::Kind::byte, .first = first, .last = last});
  }
  return start;
}

State GraphBuilder::build_rule(uint32_t rule, State next) {
  if (size_of_rule(rule, 0) < kTooLarge) return build(syntax_.rules[rule].body, next);
  return before(next, {.index = called(rule), .kind = Edge::Kind::call});
}

State GraphBuilder::build_choice(std::span<const Expression> parts, State next) {
  const State start = new_state();
  for (const Expression& part : parts) add_empty(start, build(part, next));
  return start;
}

State GraphBuilder::build_repeat(const Expression& expression, State next) {
  const Expression& repeated = expression.parts.front();
  const auto [min, max] = std::pair(expression.min, expression.max);
  State start = next;
  uint32_t copies = min;
  if (max == kUnbounded) {
    const State again = new_state();
    const State body = build(repeated, again);
    add_empty(again, body);
    add_empty(again, next);
    start = again;
    if (min > 0) {
      start = body;
      --copies;
    }
  } else {
    for (uint32_t i = min; i < max && !full(); ++i) {
      const State optional = new_state();
      add_empty(optional, build(repeated, start));
      add_empty(optional, next);
      start = optional;
    }
  }
  for (uint32_t i = 0; i < copies && !full(); ++i) {
    const State copy = build(repeated, start);
    if (copy == start) break;  // it is always empty
    start = copy;
  }
  return start;
}

uint32_t GraphBuilder::called(uint32_t rule) {
  if (called_[rule] == kNone) {
    called_[rule] = static_cast<uint32_t>(graph_.rules.size());
    const State start = new_state();
    graph_.rules.push_back({.start = start, .end = new_state(), .source = rule});
  }
  return called_[rule];
}

// A new state from which the edge leads to `next`.
State GraphBuilder::before(State next, Edge edge) {
  edge.from = new_state();
  edge.to = next;
  add(edge);
  return edge.from;
}

void GraphBuilder::add(Edge edge) {
  if (!full()) graph_.edges.push_back(edge);
}

}  // namespace

Result<Graph> build_graph(const Syntax& syntax) { return GraphBuilder(syntax).build(); }

}  // namespace quintet::grammar
