#include "grammar/matcher.h"

#include <algorithm>
#include <string>
#include <utility>

namespace quintet::grammar {
namespace {

// Pairs that a recognizer keeps before it forgets what is not needed: 16 MB. A text itself may need most of them.
constexpr size_t kMaxKept = size_t{1} << 21;
constexpr size_t kMaxNeeded = kMaxKept / 4 * 3;

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
}

Matcher::Matcher(const Matcher& other)
    : grammar_(other.grammar_),
      position_(other.position_),
      first_(other.first_ ? std::make_unique<Matcher>(*other.first_) : nullptr),
      ended_(other.ended_) {
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
      position_ = next;
      if (first_) QUINTET_CHECK(first_->accept(token, bytes));
      if (!bytes.empty()) first_.reset();
      return {};
    }
  }
  return input_error(Reason::out_of_range, "token {} does not continue the text as the grammar wants", token);
}

}  // namespace quintet::grammar
