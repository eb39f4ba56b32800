#include "grammar/token_masks.h"

#include <utility>

#include "base/order.h"

namespace quintet::grammar {
namespace {

constexpr uint32_t kWordBits = 32;
// Of a vocabulary of 150,000 tokens a mask takes 19 KB.
constexpr size_t kMaxMasks = 64;
constexpr size_t kMaxLocalWords = size_t{1} << 23;

void add(uint32_t token, Mask& mask) { mask[token / kWordBits] |= uint32_t{1} << (token % kWordBits); }

}  // namespace

TokenMasks::TokenMasks(const Automaton& automaton, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      automaton_(automaton),
      recognizer_(automaton),
      named_(automaton.token_names().size(), kUnbounded),
      path_(vocabulary.depth() + 1) {}

Position TokenMasks::after(Position position, uint32_t token) {
  const Position named =
      automaton_.token_names().empty() ? Recognizer::kDead : recognizer_.step_token(position, token, named_);
  const auto bytes = vocabulary_.bytes_of(token);
  Position spelled = bytes.empty() ? Recognizer::kDead : position;
  for (const char byte : bytes) {
    if (spelled != Recognizer::kDead) spelled = recognizer_.step(spelled, static_cast<uint8_t>(byte));
  }
  return recognizer_.either(named, spelled);
}

std::span<const uint32_t> TokenMasks::mask(Position position) {
  if (const auto known = masks_.find(position); known != masks_.end()) return known->second;
  if (masks_.size() == kMaxMasks) masks_.clear();
  Mask& mask = masks_[position];
  mask.resize((vocabulary_.size() + kWordBits - 1) / kWordBits);
  // Threads with the same stack, one after another.
  const auto all = recognizer_.threads(position);
  std::vector<Pair> threads;
  for (const Pair thread : all) threads.push_back({thread.second, thread.first});
  heap_sort(threads);
  std::vector<Pair> states;
  for (size_t i = 0; i < threads.size();) {
    const Stack stack = threads[i].first;
    for (states.clear(); i < threads.size() && threads[i].first == stack; ++i) {
      states.push_back({threads[i].second, Recognizer::kBottom});
    }
    const Local& local = this->local(states);
    for (const uint32_t token : local.few) add(token, mask);
    for (size_t word = 0; word < local.many.size(); ++word) mask[word] |= local.many[word];
    if (stack == Recognizer::kBottom || local.exits.empty()) continue;
    const Position after = recognizer_.after(stack);
    ids_.clear();
    for (const uint32_t exit : local.exits) walk(exit, after, ids_, nullptr);
    for (const uint32_t token : ids_) add(token, mask);
  }
  if (!automaton_.token_names().empty()) add_named(position, mask);
  if (recognizer_.may_end(position)) {
    for (const uint32_t stop : vocabulary_.stops()) add(stop, mask);
  }
  return mask;
}

const TokenMasks::Local& TokenMasks::local(std::span<const Pair> threads) {
  if (local_words_ > kMaxLocalWords) {
    locals_.clear();
    sets_ = {};
    local_words_ = 0;
  }
  std::vector<Pair> key(threads.begin(), threads.end());
  const uint32_t set = sets_.number_of(key);
  if (set >= locals_.size()) locals_.resize(set + 1);
  if (locals_[set]) return *locals_[set];
  auto local = std::make_unique<Local>();
  std::vector<Thread> begins;
  for (const Pair pair : key) begins.push_back({pair.first, pair.second});
  walk(0, recognizer_.at(begins), local->few, &local->exits);
  const size_t words = (vocabulary_.size() + kWordBits - 1) / kWordBits;
  if (local->few.size() > words) {
    local->many.resize(words);
    for (const uint32_t token : local->few) add(token, local->many);
    local->few = {};
  }
  local_words_ += local->few.size() + local->many.size() + local->exits.size();
  locals_[set] = std::move(local);
  return *locals_[set];
}

void TokenMasks::walk(uint32_t node, Position position, std::vector<uint32_t>& ids, std::vector<uint32_t>* exits) {
  const auto nodes = vocabulary_.nodes();
  const auto tokens = vocabulary_.tokens();
  const uint32_t end = nodes[node].end;
  path_[nodes[node].depth] = position;
  for (uint32_t at = node + 1; at < end;) {
    const Vocabulary::Node& here = nodes[at];
    const Position next = recognizer_.next(path_[here.depth - 1], here.byte);
    if (next == Recognizer::kDead) {
      at = here.end;
      continue;
    }
    path_[here.depth] = next;
    const auto complete = tokens.subspan(here.tokens, nodes[at + 1].tokens - here.tokens);
    ids.insert(ids.end(), complete.begin(), complete.end());
    if (exits && recognizer_.may_end(next) && here.end > at + 1) exits->push_back(at);
    ++at;
  }
}

void TokenMasks::add_named(Position position, Mask& mask) const {
  for (const Pair thread : recognizer_.threads(position)) {
    for (const TokenEdge& edge : automaton_.tokens(thread.first)) {
      const uint32_t id = named_[edge.token];
      if (!edge.negated && id < vocabulary_.size()) add(id, mask);
      for (uint32_t token = 0; edge.negated && token < vocabulary_.size(); ++token) {
        if (token != id && !vocabulary_.is_stop(token)) add(token, mask);
      }
    }
  }
}

}  // namespace quintet::grammar
