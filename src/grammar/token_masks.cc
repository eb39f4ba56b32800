#include "grammar/token_masks.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/order.h"

namespace quintet::grammar {
namespace {

// A mask takes 19 KB for a vocabulary of 150,000 tokens.
constexpr size_t kMaxMasks = 64;
constexpr size_t kMaxLocalWords = size_t{1} << 23;

}  // namespace

TokenMasks::TokenMasks(const Automaton& automaton, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      automaton_(automaton),
      recognizer_(automaton),
      runs_(automaton, recognizer_),
      plain_(vocabulary),
      named_(automaton.token_names().size(), kUnbounded),
      path_(vocabulary.depth() + 1) {}

Position TokenMasks::after(Position position, uint32_t token, std::string_view bytes) {
  const Position named =
      automaton_.token_names().empty() ? Recognizer::kDead : recognizer_.step_token(position, token, named_);
  Position spelled = bytes.empty() ? Recognizer::kDead : position;
  for (const char byte : bytes) {
    if (spelled != Recognizer::kDead) spelled = recognizer_.step(spelled, static_cast<uint8_t>(byte));
  }
  return recognizer_.either(named, spelled);
}

std::span<const uint32_t> TokenMasks::mask(Position position) {
  if (const auto known = masks_.find(position); known != masks_.end()) return known->second;
  if (masks_.size() == kMaxMasks) masks_.clear();
  runs_.begin_mask();
  Mask& mask = masks_[position];
  mask.resize(mask_words(vocabulary_.size()));
  if (!add_of_text(position, mask)) add_by_stacks(position, mask);
  if (!automaton_.token_names().empty()) add_named(position, mask);
  if (recognizer_.may_end(position)) {
    for (const uint32_t stop : vocabulary_.stops()) add(stop, mask);
  }
  return mask;
}

// In a text, most tokens are made of nothing but its characters, and of all states in it only the number of characters
// that are left differs.
bool TokenMasks::add_of_text(Position position, Mask& mask) {
  const TextRun all = runs_.widest_at(position);
  if (!is_text(all.kinds) || !(all.ends || all.characters >= kMaxCounted)) return false;
  const auto tokens = plain_.mask(all.kinds, all.characters);
  for (size_t word = 0; word < tokens.size(); ++word) mask[word] |= tokens[word];
  const auto others = plain_.others(all.kinds);
  path_[0] = position;
  for (uint32_t i = 0; i < others.size();) {
    const auto [node, end, is_left] = others[i];
    const bool goes_on = visit(node, mask, nullptr);
    if (goes_on && is_left) walk(node, path_[vocabulary_.nodes()[node].depth], mask, nullptr);
    i = goes_on ? i + 1 : end;
  }
  return true;
}

void TokenMasks::add_by_stacks(Position position, Mask& mask) {
  // Threads with the same stack, one after another.
  const auto all = recognizer_.threads(position);
  std::vector<Pair> threads;
  for (const Pair thread : all) threads.push_back({thread.second, thread.first});
  heap_sort(threads);
  std::vector<State> states;
  for (size_t i = 0; i < threads.size();) {
    const Stack stack = threads[i].first;
    for (states.clear(); i < threads.size() && threads[i].first == stack; ++i) {
      states.push_back(threads[i].second);
    }
    const Local& local = this->local(states, stack != Recognizer::kBottom);
    for (const uint32_t token : local.few) add(token, mask);
    for (size_t word = 0; word < local.many.size(); ++word) mask[word] |= local.many[word];
    if (local.exits.empty()) continue;
    const Position after = recognizer_.after(stack);
    for (const uint32_t exit : local.exits) walk(exit, after, mask, nullptr);
  }
}

const TokenMasks::Local& TokenMasks::local(std::span<const State> states, bool exits) {
  if (local_words_ > kMaxLocalWords) {
    locals_.clear();
    sets_ = {};
    local_words_ = 0;
  }
  std::vector<Pair> key;
  for (const State state : states) key.push_back({state, exits ? 1U : 0U});
  const uint32_t set = sets_.number_of(key);
  if (set >= locals_.size()) locals_.resize(set + 1);
  if (locals_[set]) return *locals_[set];
  auto local = std::make_unique<Local>();
  std::vector<Thread> begins;
  for (const State state : states) begins.push_back({state, Recognizer::kBottom});
  const size_t words = mask_words(vocabulary_.size());
  scratch_.assign(words, 0);
  walk(0, recognizer_.at(begins), scratch_, exits ? &local->exits : nullptr);
  size_t count = 0;
  for (const uint32_t word : scratch_) count += static_cast<size_t>(std::popcount(word));
  if (count > words) {
    local->many = scratch_;
  } else {
    local->few.reserve(count);
    for (uint32_t word = 0; word < words; ++word) {
      for (uint32_t bits = scratch_[word]; bits != 0; bits &= bits - 1) {
        local->few.push_back(word * kMaskWordBits + static_cast<uint32_t>(std::countr_zero(bits)));
      }
    }
  }
  local_words_ += local->few.size() + local->many.size() + local->exits.size();
  locals_[set] = std::move(local);
  return *locals_[set];
}

void TokenMasks::add_tokens(uint32_t begin, uint32_t end, Mask& mask) const {
  for (const uint32_t token : vocabulary_.tokens().subspan(begin, end - begin)) add(token, mask);
}

void TokenMasks::walk(uint32_t node, Position position, Mask& mask, std::vector<uint32_t>* exits) {
  const auto nodes = vocabulary_.nodes();
  path_[nodes[node].depth] = position;
  const uint32_t end = nodes[node].end;
  for (uint32_t at = node + 1; at < end;) at = visit(at, mask, exits) ? at + 1 : nodes[at].end;
}

bool TokenMasks::visit(uint32_t at, Mask& mask, std::vector<uint32_t>* exits) {
  const auto nodes = vocabulary_.nodes();
  const Vocabulary::Node& here = nodes[at];
  const Position next = recognizer_.next(path_[here.depth - 1], here.byte);
  if (next == Recognizer::kDead) return false;
  path_[here.depth] = next;
  add_tokens(here.tokens, nodes[at + 1].tokens, mask);
  if (here.end == at + 1) return false;
  if (exits && recognizer_.may_end(next)) exits->push_back(at);
  if ((here.kinds & kBroken) != 0) return true;
  // All tokens below may follow, even if they may also be something else.
  const TextRun& all = runs_.at(next);
  const bool whole = (here.kinds & ~all.kinds) == 0 && here.characters <= all.characters;
  if (whole) add_tokens(nodes[at + 1].tokens, nodes[here.end].tokens, mask);
  return !whole;
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
