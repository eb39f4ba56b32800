#include "grammar/json_schema/language.h"

#include <algorithm>
#include <utility>

#include "base/flag_list.h"
#include "base/order.h"
#include "base/utf8.h"

namespace quintet::grammar {
namespace {

// First members of atoms other than steps; in those, it is the number of the set, and `second` what follows.
constexpr uint32_t kEnd = UINT32_MAX;
constexpr uint32_t kNot = UINT32_MAX - 1;
constexpr uint32_t kLater = UINT32_MAX - 2;

bool is_step(Pair atom) { return atom.first < kLater; }

}  // namespace

Languages::Languages() {
  std::vector<Pair> all = {{0, 0}};  // a clause without atoms
  languages_.number_of(all);
  atom({kEnd, 0});
}

Language Languages::atom(Pair atom) {
  std::vector<Pair> clause = {atom};
  std::vector<Pair> clauses = {{clauses_.number_of(clause), 0}};
  return languages_.number_of(clauses);
}

Language Languages::step(CharacterSet set, Language next) {
  if (set.empty() || next == kNone) return kNone;
  std::vector<uint32_t> key;
  for (const CodeRange range : set) key.insert(key.end(), {range.first, range.last});
  const auto [known, added] = set_numbers_.try_emplace(std::move(key), static_cast<uint32_t>(sets_.size()));
  if (added) sets_.push_back(std::move(set));
  return atom({known->second, next});
}

// Clauses that are included in another one add nothing.
Language Languages::number_of(std::vector<Pair>& clauses) {
  constexpr size_t kMaxCompared = 64;
  heap_sort(clauses);
  clauses.erase(std::unique(clauses.begin(), clauses.end()), clauses.end());
  work_ += clauses.size() + 1;
  if (clauses.size() <= kMaxCompared) {
    const std::vector<Pair> all = clauses;
    std::erase_if(clauses, [&](Pair clause) {
      const auto atoms = clauses_[clause.first];
      return std::ranges::any_of(
          all, [&](Pair other) { return other != clause && std::ranges::includes(atoms, clauses_[other.first]); });
    });
    work_ += all.size() * all.size();
  }
  return languages_.number_of(clauses);
}

Language Languages::either(Language a, Language b) {
  if (a == b || b == kNone || a == kAll) return a;
  if (a == kNone || b == kAll) return b;
  std::vector<Pair> clauses(languages_[a].begin(), languages_[a].end());
  clauses.insert(clauses.end(), languages_[b].begin(), languages_[b].end());
  return number_of(clauses);
}

Language Languages::both(Language a, Language b) {
  if (a == b || b == kAll || a == kNone) return a;
  if (a == kAll || b == kNone) return b;
  std::vector<Pair> clauses;
  std::vector<Pair> atoms;
  for (size_t i = 0; i < languages_[a].size() && !full(); ++i) {
    for (size_t j = 0; j < languages_[b].size() && !full(); ++j) {
      const auto first = clauses_[languages_[a][i].first];
      const auto second = clauses_[languages_[b][j].first];
      atoms.assign(first.begin(), first.end());
      atoms.insert(atoms.end(), second.begin(), second.end());
      work_ += atoms.size();
      const bool ends = std::ranges::any_of(atoms, [](Pair atom) { return atom.first == kEnd; });
      if (ends && std::ranges::any_of(atoms, is_step)) continue;  // not both
      clauses.push_back({clauses_.number_of(atoms), 0});
    }
  }
  return number_of(clauses);
}

Language Languages::other(Language a) {
  if (a == kNone) return kAll;
  if (a == kAll) return kNone;
  return atom({kNot, a});
}

Language Languages::later() {
  meanings_.push_back(kNone);
  return atom({kLater, static_cast<uint32_t>(meanings_.size() - 1)});
}

void Languages::define(Language later, Language meaning) {
  meanings_[clauses_[languages_[later][0].first][0].second] = meaning;
}

Language Languages::without(Language a, Language later) {
  const Pair itself = clauses_[languages_[later][0].first][0];
  std::vector<Pair> clauses;
  for (const Pair clause : languages_[a]) {
    if (!std::ranges::binary_search(clauses_[clause.first], itself)) clauses.push_back(clause);
  }
  return number_of(clauses);
}

bool Languages::has_empty(Language a) {
  if (full()) return false;
  return std::ranges::any_of(languages_[a], [&](Pair clause) {
    return std::ranges::all_of(clauses_[clause.first], [&](Pair atom) {
      ++work_;
      if (atom.first == kLater) return has_empty(meanings_[atom.second]);
      return atom.first == kEnd || (atom.first == kNot && !has_empty(atom.second));
    });
  });
}

Language Languages::after(Language a, char32_t character) {
  // Loops by index, because the sets grow meanwhile.
  Language all = kNone;
  for (size_t i = 0; i < languages_[a].size() && !full(); ++i) {
    const uint32_t clause = languages_[a][i].first;
    Language rest = kAll;
    for (size_t j = 0; j < clauses_[clause].size() && rest != kNone; ++j) {
      const auto [kind, index] = clauses_[clause][j];
      ++work_;
      if (kind == kEnd) {
        rest = kNone;
      } else if (kind == kNot) {
        rest = both(rest, other(after(index, character)));
      } else if (kind == kLater) {
        rest = both(rest, after(meanings_[index], character));
      } else {
        rest = contains(sets_[kind], character) ? both(rest, index) : kNone;
      }
    }
    all = either(all, rest);
  }
  return all;
}

bool Languages::has(Language a, std::string_view text) {
  for (size_t at = 0; at < text.size() && a != kNone && a != kAll;) {
    const DecodedCodePoint decoded = decode_utf8(text, at);
    a = after(a, decoded.code_point);
    at += decoded.bytes;
  }
  return has_empty(a);
}

std::vector<char32_t> Languages::cuts(Language a) {
  std::vector<char32_t> cuts = {0};
  add_cuts(a, cuts);
  heap_sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

void Languages::add_cuts(Language a, std::vector<char32_t>& cuts) {
  for (const Pair clause : languages_[a]) {
    for (const auto [kind, index] : clauses_[clause.first]) {
      if (kind == kEnd || full()) continue;
      if (!is_step({kind, index})) {
        add_cuts(kind == kNot ? index : meanings_[index], cuts);
        continue;
      }
      work_ += sets_[kind].size();
      for (const CodeRange range : sets_[kind]) {
        cuts.push_back(range.first);
        if (range.last < kLastCodePoint) cuts.push_back(range.last + 1);
      }
    }
  }
}

namespace {

// Drops the states from which no text ends.
std::vector<LanguageState> only_with_end(std::vector<LanguageState> states) {
  std::vector<std::vector<uint32_t>> before(states.size());
  std::vector<uint32_t> left;
  FlagList ends(states.size());
  for (uint32_t i = 0; i < states.size(); ++i) {
    for (const auto& move : states[i].moves) before[move.to].push_back(i);
    ends[i] = states[i].may_end;
    if (ends[i]) left.push_back(i);
  }
  while (!left.empty()) {
    const uint32_t at = left.back();
    left.pop_back();
    for (const uint32_t each : before[at]) {
      if (!ends[each]) left.push_back(each);
      ends[each] = true;
    }
  }
  std::vector<uint32_t> numbers(states.size());
  std::vector<LanguageState> kept;
  for (uint32_t i = 0, next = 0; i < states.size(); ++i) numbers[i] = ends[i] ? next++ : 0;
  if (states.empty() || !ends[0]) return kept;
  for (uint32_t i = 0; i < states.size(); ++i) {
    if (!ends[i]) continue;
    std::erase_if(states[i].moves, [&](const auto& move) { return !ends[move.to]; });
    for (auto& move : states[i].moves) move.to = numbers[move.to];
    kept.push_back(std::move(states[i]));
  }
  return kept;
}

}  // namespace

Result<std::vector<LanguageState>> states_of(Languages& languages, Language start) {
  std::vector<LanguageState> states;
  std::vector<Language> found = {start};
  std::map<Language, uint32_t> numbers = {{start, 0}};
  for (size_t i = 0; i < found.size(); ++i) {
    const Language at = found[i];
    const std::vector<char32_t> cuts = languages.cuts(at);
    LanguageState state = {.may_end = languages.has_empty(at), .any_text = at == Languages::kAll};
    std::map<uint32_t, std::vector<CodeRange>> moves;
    for (size_t cut = 0; cut < cuts.size() && !languages.full() && !state.any_text; ++cut) {
      const Language next = languages.after(at, cuts[cut]);
      if (next == Languages::kNone) continue;
      const auto [known, added] = numbers.try_emplace(next, static_cast<uint32_t>(found.size()));
      if (added) found.push_back(next);
      moves[known->second].push_back({cuts[cut], cut + 1 < cuts.size() ? cuts[cut + 1] - 1 : kLastCodePoint});
    }
    if (languages.full() || found.size() > kMaxLanguageStates) {
      return input_error(Reason::limit, "patterns, lengths or divisors that together need more than {} states",
                         kMaxLanguageStates);
    }
    for (auto& [to, ranges] : moves) {
      CharacterSet set = normalized(std::move(ranges));
      if (!set.empty()) state.moves.push_back({.set = std::move(set), .to = to});
    }
    states.push_back(std::move(state));
  }
  return only_with_end(std::move(states));
}

}  // namespace quintet::grammar
