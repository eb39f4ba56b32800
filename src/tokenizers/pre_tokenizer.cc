#include "tokenizers/pre_tokenizer.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "tokenizers/bpe/byte_alphabet.h"
#include "tokenizers/split_expression/expression_matcher.h"

namespace quintet {
namespace {

constexpr size_t kMaxSteps = 16;

std::string spelled(std::string_view piece) {
  std::string letters;
  for (const char byte : piece) append_utf8(letter_of(static_cast<uint8_t>(byte)), letters);
  return letters;
}

// A part of a text: a match, or the text between two.
struct Segment {
  size_t begin = 0, end = 0;
  bool is_match = false;
};

bool joins(SplitBehavior behavior, const Segment& last, const Segment& next) {
  switch (behavior) {
    case SplitBehavior::merged_with_previous:
      return next.is_match && !last.is_match;
    case SplitBehavior::merged_with_next:
      return !next.is_match && last.is_match;
    case SplitBehavior::contiguous:
      return next.is_match == last.is_match;
    default:
      return false;
  }
}

}  // namespace

Result<PreTokenizer> PreTokenizer::create(const std::vector<SplitStep>& steps) {
  if (steps.size() > kMaxSteps) {
    return unsupported_error("a pre-tokenizer of {} steps; at most {} are supported", steps.size(), kMaxSteps);
  }
  PreTokenizer result;
  for (const SplitStep& step : steps) {
    result.steps_.push_back({.expression = std::nullopt,
                             .behavior = step.behavior,
                             .inverts = step.inverts,
                             .adds_space = step.adds_space,
                             .spells_bytes = step.spells_bytes});
    result.spells_bytes_ |= step.spells_bytes;
    if (step.expression.empty()) continue;
    QUINTET_TRY(result.steps_.back().expression, SplitExpression::compile(step.expression));
  }
  return result;
}

class PreTokenizer::Splitting {
 public:
  Splitting(const std::vector<Step>& steps, ExpressionSearch& search, Receiver& words)
      : steps_(steps), words_(words), search_(search) {}

  // Applies the steps from `depth` on.
  void apply(size_t depth, std::string_view text) {
    if (depth == steps_.size()) return words_.take(text);
    const Step& step = steps_[depth];
    if (!step.adds_space || text.starts_with(' ')) return split(depth, text);
    split(depth, formatted(" {}", text));
  }

 private:
  void split(size_t depth, std::string_view text);
  void add(size_t depth, std::string_view text, Segment& last, Segment next);
  void finish(size_t depth, std::string_view text, const Segment& piece);

  const std::vector<Step>& steps_;
  Receiver& words_;
  ExpressionSearch& search_;
};

void PreTokenizer::Splitting::split(size_t depth, std::string_view text) {
  Segment last;
  size_t at = 0;
  const Step& step = steps_[depth];
  if (step.expression) {
    ExpressionMatcher matches(*step.expression, text, search_);
    while (const auto match = matches.next()) {
      if (match->begin != at) add(depth, text, last, {at, match->begin, step.inverts});
      add(depth, text, last, {match->begin, match->end, !step.inverts});
      at = match->end;
    }
  }
  const bool is_match = step.expression && step.inverts;
  if (at != text.size()) add(depth, text, last, {at, text.size(), is_match});
  finish(depth, text, last);
}

void PreTokenizer::Splitting::add(size_t depth, std::string_view text, Segment& last, Segment next) {
  if (joins(steps_[depth].behavior, last, next)) {
    next.begin = last.begin;
  } else {
    finish(depth, text, last);
  }
  last = next;
}

// A piece is split further by the next step.
void PreTokenizer::Splitting::finish(size_t depth, std::string_view text, const Segment& piece) {
  const Step& step = steps_[depth];
  const bool is_removed = piece.is_match && step.behavior == SplitBehavior::removed;
  if (piece.begin == piece.end || is_removed) return;
  text = text.substr(piece.begin, piece.end - piece.begin);
  if (!step.spells_bytes) return apply(depth + 1, text);
  apply(depth + 1, spelled(text));
}

Status PreTokenizer::split(std::string_view text, Receiver& words) const {
  ExpressionSearch search(ExpressionSearch::max_steps(text.size()));
  if (!text.empty()) Splitting(steps_, search, words).apply(0, text);
  return search.status();
}

}  // namespace quintet
