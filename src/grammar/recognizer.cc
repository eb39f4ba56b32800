#include "grammar/recognizer.h"

#include <algorithm>
#include <utility>

#include "base/flag_list.h"

namespace quintet::grammar {
namespace {

// Limit for one position. Grammars that people write have a few; each thread more is another way to read the same text.
constexpr size_t kMaxThreads = size_t{1} << 14;

}  // namespace

Recognizer::Recognizer(const Automaton& automaton)
    : automaton_(automaton), classes_(automaton.byte_classes().data()), frames_(automaton.rules()) {
  std::vector<Pair> bottom = {{kEnd, 0}};
  stacks_.number_of(bottom);
  may_end_.push_back(false);
  rows_.push_back(kNoRow);
}

Position Recognizer::start() {
  begin();
  if (automaton_.is_final(automaton_.start(automaton_.root()))) reach(kEnd, 0);
  call({.rule = automaton_.root(), .then = kEnd}, 0);
  return finish();
}

Position Recognizer::at(std::span<const Thread> threads) {
  begin();
  for (const Thread thread : threads) reach(thread.state, thread.stack);
  return finish();
}

Position Recognizer::after(Stack stack) {
  begin();
  for (const Pair frame : stacks_[stack]) reach(frame.first, frame.second);
  return finish();
}

Position Recognizer::step(Position position, uint8_t byte) {
  begin();
  for (const Pair thread : threads(position)) {
    for (const ByteEdge& edge : automaton_.bytes(thread.first)) {
      if (edge.first <= byte && byte <= edge.last) reach(edge.target, thread.second);
    }
  }
  return finish();
}

Position Recognizer::step_token(Position position, uint32_t id, std::span<const uint32_t> ids) {
  begin();
  for (const Pair thread : threads(position)) {
    for (const TokenEdge& edge : automaton_.tokens(thread.first)) {
      if ((ids[edge.token] == id) != edge.negated) reach(edge.target, thread.second);
    }
  }
  return finish();
}

Position Recognizer::either(Position a, Position b) {
  std::vector<Pair> threads(positions_[a].begin(), positions_[a].end());
  threads.insert(threads.end(), positions_[b].begin(), positions_[b].end());
  return number_of(threads);
}

Position Recognizer::find_next(Position position, uint8_t byte) {
  if (rows_[position] == kNoRow) {
    rows_[position] = static_cast<uint32_t>(table_.size());
    table_.resize(table_.size() + automaton_.n_byte_classes(), kUnknown);
  }
  const Position next = step(position, byte);
  table_[rows_[position] + classes_[byte]] = next;
  return next;
}

void Recognizer::begin() {
  seen_.clear();
  threads_.clear();
}

void Recognizer::reach(State state, Stack stack) {
  if (seen_.add({state, stack})) left_.push_back({state, stack});
}

Position Recognizer::finish() {
  while (!left_.empty() && threads_.size() <= kMaxThreads) {
    const auto [state, stack] = left_.back();
    left_.pop_back();
    if (state == kEnd) {
      threads_.push_back({kEnd, 0});
      continue;
    }
    if (automaton_.is_final(state)) {
      for (const Pair frame : stacks_[stack]) reach(frame.first, frame.second);
    }
    for (const Call& each : automaton_.calls(state)) call(each, stack);
    if (!automaton_.bytes(state).empty() || !automaton_.tokens(state).empty()) threads_.push_back({state, stack});
  }
  left_.clear();
  follow_calls();
  if (threads_.size() <= kMaxThreads) return number_of(threads_);
  refuse(formatted("the grammar can read the text in more than {} ways at once", kMaxThreads));
  return kDead;
}

void Recognizer::call(const Call& call, Stack stack) {
  std::vector<Pair>& frames = frames_[call.rule];
  if (frames.empty()) {
    called_.push_back({automaton_.order(call.rule), call.rule});
    std::ranges::push_heap(called_, std::greater());
  }
  // After a call at the end of a rule comes what follows that rule: a list that ends in itself needs no stack.
  if (call.then != kEnd && automaton_.is_final(call.then) && automaton_.only_ends(call.then)) {
    const auto rest = stacks_[stack];
    frames.insert(frames.end(), rest.begin(), rest.end());
  } else {
    frames.push_back({call.then, stack});
  }
}

// Rules that other rules begin with come after those, so that all calls of a rule are known when it is followed. The
// nodes after a rule that may be empty were reached without calling it.
void Recognizer::follow_calls() {
  while (!called_.empty()) {
    std::ranges::pop_heap(called_, std::greater());
    const uint32_t rule = called_.back().second;
    called_.pop_back();
    const Stack stack = stacks_.number_of(frames_[rule]);
    frames_[rule].clear();
    const State state = automaton_.start(rule);
    for (const Call& each : automaton_.calls(state)) call(each, stack);
    if (!automaton_.bytes(state).empty() || !automaton_.tokens(state).empty()) threads_.push_back({state, stack});
  }
}

Position Recognizer::number_of(std::vector<Pair>& threads) {
  const Position position = positions_.number_of(threads);
  if (position == may_end_.size()) {
    may_end_.push_back(threads.back().first == kEnd);
    rows_.push_back(kNoRow);
  }
  return position;
}

void Recognizer::refuse(std::string detail) {
  if (status_) status_ = input_error(Reason::limit, "{}", detail);
}

// A frame of a stack refers to stacks with lower numbers, so that one pass in each direction is enough.
void Recognizer::forget_others(std::span<Position* const> positions) {
  FlagList used(stacks_.size());
  for (const Position* position : positions) {
    for (const Pair thread : threads(*position)) used[thread.second] = true;
  }
  used[kBottom] = true;
  for (uint32_t stack = stacks_.size(); stack-- > 1;) {
    if (!used[stack]) continue;
    for (const Pair frame : stacks_[stack]) used[frame.second] = true;
  }
  std::vector<Stack> numbers(stacks_.size());
  std::vector<Pair> pairs;
  const auto renumber = [&](std::span<const Pair> from) {
    pairs.clear();
    for (const Pair pair : from) pairs.push_back({pair.first, pair.first == kEnd ? 0 : numbers[pair.second]});
  };
  PairSets stacks;
  for (uint32_t stack = 1; stack < stacks_.size(); ++stack) {
    if (!used[stack]) continue;
    renumber(stacks_[stack]);
    numbers[stack] = stacks.number_of(pairs);
  }
  PairSets kept = std::exchange(positions_, PairSets());
  may_end_.assign(1, false);
  rows_.assign(1, kNoRow);
  table_.clear();
  for (Position* position : positions) {
    renumber(kept[*position]);
    *position = pairs.empty() ? kDead : number_of(pairs);
  }
  stacks_ = std::move(stacks);
}

}  // namespace quintet::grammar
