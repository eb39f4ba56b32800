#include "grammar/text_runs.h"

#include <algorithm>
#include <string_view>

namespace quintet::grammar {
namespace {

// Positions that one run may pass through: every one that matters if each character leads to its own.
constexpr size_t kMaxPositions = kMaxCounted + 1;
// Threads that may be followed by a byte for one mask. A text that can be read in many ways is seldom at the same
// position again, so that it takes less to follow tokens than to look ahead.
constexpr size_t kMaxWork = size_t{1} << 14;
constexpr Kinds kSeveralBytes = kNearSpaces | kBeyondAscii;

bool has(std::span<const Position> all, Position position) { return std::ranges::find(all, position) != all.end(); }

bool add_position(Position position, std::vector<Position>& all) {
  if (position == Recognizer::kDead) return false;
  if (!has(all, position)) all.push_back(position);
  return all.size() <= kMaxPositions;
}

}  // namespace

TextRuns::TextRuns(const Automaton& automaton, Recognizer& recognizer) : recognizer_(recognizer) {
  const auto classes = automaton.byte_classes();
  // The bytes from `first` to `last`, without those of the same class and kind as the one before.
  const auto different = [&](uint32_t first, uint32_t last, auto kind, auto use) {
    for (uint32_t i = first; i <= last; ++i) {
      const auto byte = static_cast<uint8_t>(i);
      const auto before = static_cast<uint8_t>(i - 1);
      if (i == first || classes[byte] != classes[before] || kind(byte) != kind(before)) use(byte);
    }
  };
  different(0, 0x7F, kind_of_ascii, [&](uint8_t byte) { ascii_.emplace_back(kind_of_ascii(byte), byte); });
  different(0x80, 0xBF, [](uint8_t) { return Kinds{0}; }, [&](uint8_t byte) { seconds_[0].push_back(byte); });
  for (uint32_t lead = 0xC2; lead <= 0xF4; ++lead) {
    // A lead of the same class may have other continuations, or its characters may be of other kinds.
    constexpr std::string_view kSpecial = "\xC3\xE0\xE1\xE2\xE3\xE4\xED\xEE\xEF\xF0\xF1\xF4";
    const bool special = kSpecial.contains(static_cast<char>(lead));
    if (lead > 0xC2 && !special && classes[lead] == classes[lead - 1]) continue;
    leads_.push_back(static_cast<uint8_t>(lead));
    const uint32_t first = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const uint32_t last = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    const auto kind = [lead](uint8_t byte) { return kind_beyond_ascii(static_cast<uint8_t>(lead), byte); };
    different(first, last, kind, [&](uint8_t byte) { seconds_[lead].push_back(byte); });
  }
}

void TextRuns::begin_mask() { work_left_ = kMaxWork; }

Position TextRuns::next(Position position, uint8_t byte) {
  if (!recognizer_.knows_next(position, byte)) {
    const size_t work = recognizer_.threads(position).size();
    work_left_ -= std::min(work, work_left_);
    if (work_left_ == 0) return Recognizer::kDead;
  }
  return recognizer_.next(position, byte);
}

TextRuns::Known& TextRuns::known(Position position) {
  if (position >= known_.size()) known_.resize(position + 1);
  return known_[position];
}

const TextRun& TextRuns::at(Position position) {
  if (known(position).has_run) return known_[position].run;
  if (work_left_ == 0) return unknown_.run;
  const TextRun run = run_of(position);
  if (work_left_ == 0) return unknown_.run;
  known_[position].run = run;
  known_[position].has_run = true;
  return known_[position].run;
}

TextRun TextRuns::widest_at(Position position) {
  const Kinds kinds = step_of(position).step;
  if (is_text(kinds) || kinds == 0) return at(position);
  const Kinds more = with_others_alike(position, kinds & ~kNearSpaces);
  if (!is_text(more)) return at(position);
  const TextRun run = branching_run_of(position, more);
  return work_left_ == 0 ? unknown_.run : run;
}

TextRun TextRuns::run_of(Position position) {
  TextRun run = {.kinds = step_of(position).step};
  for (Position at = position; run.kinds != 0 && run.characters < kMaxCounted; ++run.characters) {
    const Known& step = step_of(at);
    if ((run.kinds & ~step.step) != 0) {
      run.ends = !follows(at, run.kinds);
      break;
    }
    if (step.next == at) {
      run.characters = kUnbounded;
      break;
    }
    at = step.next;
  }
  return run;
}

// Goes through all positions that are reached after the same number of characters at once.
TextRun TextRuns::branching_run_of(Position position, Kinds kinds) {
  TextRun run = {.kinds = kinds};
  std::vector<Position> all = {position};
  std::vector<Position> level = all;
  std::vector<Position> next;
  for (; run.characters < kMaxCounted && all.size() <= kMaxPositions; ++run.characters) {
    next.clear();
    if (!std::ranges::all_of(level, [&](Position at) { return add_next(at, kinds, next); })) {
      run.ends = std::ranges::none_of(level, [&](Position at) { return follows(at, kinds); });
      break;
    }
    bool has_new = false;
    for (const Position at : next) {
      if (has(all, at)) continue;
      all.push_back(at);
      has_new = true;
    }
    if (!has_new) {
      run.characters = kUnbounded;
      break;
    }
    level = next;
  }
  return run;
}

// The state to which most characters lead, and the kinds of which all do; for text only.
const TextRuns::Known& TextRuns::step_of(Position position) {
  if (known(position).has_step) return known_[position];
  const bool begins = next(position, 'a') != Recognizer::kDead;
  const Position common = begins ? commonest_next(position) : Recognizer::kDead;
  Kinds kinds = 0;
  if (begins) {
    Kinds others = 0;
    for (const auto& [kind, byte] : ascii_) (next(position, byte) == common ? kinds : others) |= kind;
    kinds &= ~others;
    for (const Kinds kind : {kNearSpaces, kBeyondAscii}) {
      std::vector<Position> led_to = {common};
      if (add_each_next(position, kind, led_to) && led_to.size() == 1) kinds |= kind;
    }
  }
  if (work_left_ == 0) return unknown_;
  Known& known = this->known(position);
  known.has_step = true;
  known.step = kinds;
  known.next = common;
  return known;
}

// The majority vote of Boyer and Moore; any state if there is no majority.
Position TextRuns::commonest_next(Position position) {
  Position max = Recognizer::kDead;
  int votes = 0;
  for (const auto& [kind, byte] : ascii_) {
    const Position led_to = next(position, byte);
    if (led_to == Recognizer::kDead) continue;
    if (votes == 0) max = led_to;
    votes += led_to == max ? 1 : -1;
  }
  return max;
}

// These kinds and all others with any of which a text continues so that these may follow: one that must have some word
// in it, for example, remembers what it has of that. Without near spaces, which patterns tend to treat apart.
Kinds TextRuns::with_others_alike(Position position, Kinds kinds) {
  Kinds all = kinds;
  std::vector<Position> led_to;
  std::vector<Position> beyond;
  for (Kinds kind = 1; kind < kBroken; kind <<= 1) {
    led_to.clear();
    if ((kinds & kind) != 0 || kind == kNearSpaces || !add_each_next(position, kind, led_to)) continue;
    const bool alike = std::ranges::all_of(led_to, [&](Position at) {
      beyond.clear();
      return add_next(at, kinds, beyond);
    });
    if (alike) all |= kind;
  }
  return all;
}

bool TextRuns::add_next(Position position, Kinds kinds, std::vector<Position>& all) {
  const Known& step = step_of(position);
  return (kinds & ~step.step) == 0 ? add_position(step.next, all) : add_each_next(position, kinds, all);
}

bool TextRuns::add_each_next(Position position, Kinds kinds, std::vector<Position>& all) {
  for (const auto& [kind, byte] : ascii_) {
    if ((kind & kinds) != 0 && !add_position(next(position, byte), all)) return false;
  }
  if ((kinds & kSeveralBytes) == 0) return true;
  std::array<std::vector<Position>, 3> within;  // by the continuations that are missing
  for (const uint8_t lead : leads_) {
    const Position second = next(position, lead);
    auto& led_to = within[lead < 0xE0 ? 0 : lead < 0xF0 ? 1 : 2];
    for (const uint8_t byte : seconds_[lead]) {
      const bool counts = (kind_beyond_ascii(lead, byte) & kinds) != 0;
      if (counts && !add_position(next(second, byte), led_to)) return false;
    }
  }
  for (size_t missing = 2; missing > 0; --missing) {
    for (const Position at : within[missing]) {
      for (const uint8_t byte : seconds_[0]) {
        if (!add_position(next(at, byte), within[missing - 1])) return false;
      }
    }
  }
  return std::ranges::all_of(within[0], [&](Position at) { return add_position(at, all); });
}

// Whether a character of one of these kinds may begin.
bool TextRuns::follows(Position position, Kinds kinds) {
  const auto may = [&](uint8_t byte) { return next(position, byte) != Recognizer::kDead; };
  const bool ascii =
      std::ranges::any_of(ascii_, [&](const auto& each) { return (each.first & kinds) != 0 && may(each.second); });
  return ascii || ((kinds & kSeveralBytes) != 0 && std::ranges::any_of(leads_, may));
}

}  // namespace quintet::grammar
