#include "grammar/matcher.h"

#include <algorithm>
#include <string>
#include <utility>

namespace quintet::grammar {
namespace {

// Pairs that a recognizer keeps before it drops unneeded ones: 16 MB. A text itself may need most of them.
constexpr size_t kMaxKept = size_t{1} << 21;
constexpr size_t kMaxNeeded = kMaxKept / 4 * 3;

// A longer text is not guessed at once.
constexpr size_t kMaxProbableBytes = 128;

bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

Failure too_deep() { return input_error(Reason::limit, "the text nests too deeply for the grammar"); }

}  // namespace

Result<bool> accepts(const Automaton& automaton, std::string_view text) {
  Recognizer recognizer(automaton);
  Position position = recognizer.start();
  for (const char byte : text) {
    position = recognizer.step(position, static_cast<uint8_t>(byte));
    QUINTET_CHECK(recognizer.status());
    if (position == Recognizer::kDead) return false;
    if (recognizer.kept() < kMaxKept) continue;
    Position* const last[] = {&position};
    recognizer.forget_others(last);
    if (recognizer.kept() > kMaxNeeded) return too_deep();
  }
  return recognizer.may_end(position);
}

Status TokenGrammar::limit_memory() {
  if (masks_.recognizer().kept() < kMaxKept) return {};
  masks_.forget_positions();
  masks_.recognizer().forget_others(positions_);
  if (masks_.recognizer().kept() > kMaxNeeded) return too_deep();
  return {};
}

Matcher::Matcher(std::shared_ptr<TokenGrammar> grammar, std::shared_ptr<TokenGrammar> first)
    : grammar_(std::move(grammar)),
      position_(grammar_->masks().recognizer().start()),
      first_(first ? std::make_unique<Matcher>(std::move(first)) : nullptr) {
  grammar_->positions_.push_back(&position_);
  habits_[':'] = habits_[','] = " ";
}

Matcher::Matcher(const Matcher& other)
    : grammar_(other.grammar_),
      position_(other.position_),
      first_(other.first_ ? std::make_unique<Matcher>(*other.first_) : nullptr),
      ended_(other.ended_),
      last_(other.last_),
      space_(other.space_),
      habits_(other.habits_) {
  grammar_->positions_.push_back(&position_);
}

Matcher::~Matcher() { std::erase(grammar_->positions_, &position_); }

Result<std::span<const uint32_t>> Matcher::mask() {
  if (ended_) return input_error(Reason::out_of_range, "the text has ended");
  if (first_) return first_->mask();
  QUINTET_CHECK(grammar_->limit_memory());
  const auto mask = grammar_->masks().mask(position_);
  QUINTET_CHECK(grammar_->masks().recognizer().status());
  const bool none = std::ranges::all_of(mask, [](uint32_t word) { return word == 0; });
  if (none) {
    return input_error(Reason::missing, "{}",
                       may_end() ? "the text is complete, and the model has no token that ends it"
                                 : "no token of the model continues the text as the grammar wants");
  }
  return mask;
}

Status Matcher::accept(uint32_t token, std::string_view bytes) {
  QUINTET_CHECK(grammar_->limit_memory());
  const bool known = !ended_ && token < grammar_->vocabulary().size();
  if (known && grammar_->vocabulary().is_stop(token)) {
    ended_ = may_end();
    if (ended_) return {};
  } else if (known) {
    const Position next = grammar_->masks().after(position_, token, bytes);
    QUINTET_CHECK(grammar_->masks().recognizer().status());
    if (next != Recognizer::kDead) {
      learn_space(bytes);
      position_ = next;
      if (first_) QUINTET_CHECK(first_->accept(token, bytes));
      if (!bytes.empty()) first_.reset();
      return {};
    }
  }
  return input_error(Reason::out_of_range, "token {} does not continue the text as the grammar wants", token);
}

Matcher::NextBytes Matcher::next_bytes(Position position) const {
  NextBytes next;
  const Automaton& automaton = grammar_->automaton();
  for (const Pair& thread : grammar_->masks().recognizer().threads(position)) {
    next.may_be_others |= !automaton.tokens(thread.first).empty();
    for (const ByteEdge& edge : automaton.bytes(thread.first)) {
      for (uint32_t byte = edge.first; byte <= edge.last && !next.may_be_others; ++byte) {
        const auto found = static_cast<uint8_t>(byte);
        std::optional<uint8_t>& one = is_space(found) ? next.space : next.other;
        bool& several = is_space(found) ? next.may_be_other_space : next.may_be_others;
        several |= one.value_or(found) != found;
        one = found;
      }
    }
  }
  return next;
}

std::string Matcher::probable_text() const {
  std::string text;
  if (ended_ || first_) return text;
  Recognizer& recognizer = grammar_->masks().recognizer();
  Position position = position_;
  uint8_t last = last_;
  std::string space = space_;
  while (text.size() < kMaxProbableBytes && !recognizer.may_end(position)) {
    const std::optional<uint8_t> byte = probable_byte(position, last, space);
    if (!byte) break;
    position = recognizer.next(position, *byte);
    if (position == Recognizer::kDead) break;
    text += static_cast<char>(*byte);
    if (is_space(*byte)) {
      space += static_cast<char>(*byte);
    } else {
      last = *byte;
      space.clear();
    }
  }
  return text;
}

// `space`: the white space that already follows the byte `last`.
std::optional<uint8_t> Matcher::probable_byte(Position position, uint8_t last, std::string_view space) const {
  const NextBytes next = next_bytes(position);
  if (next.may_be_others) return std::nullopt;
  if (!next.space) return next.other;
  if (!next.other && !next.may_be_other_space) return next.space;
  const std::string& habit = habits_[last];
  if (!habit.starts_with(space)) return std::nullopt;
  return habit == space ? next.other : static_cast<uint8_t>(habit[space.size()]);
}

void Matcher::learn_space(std::string_view bytes) {
  Position position = position_;
  for (const char each : bytes) {
    const auto byte = static_cast<uint8_t>(each);
    const bool may_be_space = next_bytes(position).space.has_value();
    if (may_be_space && is_space(byte)) {
      space_ += each;
    } else {
      if (may_be_space || !space_.empty()) habits_[last_] = space_;
      last_ = byte;
      space_.clear();
    }
    position = grammar_->masks().recognizer().next(position, byte);
  }
}

}  // namespace quintet::grammar
