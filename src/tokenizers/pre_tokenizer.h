#pragma once
// Splits a text into words, within which byte-level BPE merges: the steps of a tokenizer.json's pre-tokenizer, each
// applied to the pieces of those before it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text_steps.h"
#include "tokenizers/split_expression.h"

namespace quintet {

class PreTokenizer {
 public:
  // UNSUPPORTED for an expression that split_expression.h does not support, or too many steps.
  static Result<PreTokenizer> create(const std::vector<SplitStep>& steps);

  // Requires valid UTF-8. The time is linear in the length of the text for the expressions of known tokenizers. Others
  // may backtrack: beyond a limit that is proportional to the length, the rest of the text is not split.
  template <class Visit>
  void for_each_word(std::string_view text, Visit visit) const {
    SplitExpression::Search search(kSteps + kStepsPerByte * text.size());
    if (!text.empty()) apply(0, text, search, visit);
  }
  // Whether words are spelled in the letters of bytes.
  bool spells_bytes() const { return spells_bytes_; }

 private:
  static constexpr uint64_t kSteps = 4096;
  static constexpr uint64_t kStepsPerByte = 256;

  struct Step {
    std::optional<SplitExpression> expression;
    SplitBehavior behavior;
    bool inverts, adds_space, spells_bytes;
  };

  // The pieces of one step, from the segments of its text.
  template <class Visit>
  class Pieces {
   public:
    Pieces(const Step& step, std::string_view text, Visit& visit) : step_(step), text_(text), visit_(visit) {}
    ~Pieces() { flush(); }
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;

    void add(size_t begin, size_t end, bool is_match) {
      is_match ^= step_.inverts;
      if (!joins(is_match)) {
        flush();
        begin_ = begin;
      }
      end_ = end;
      is_match_ = is_match;
    }

   private:
    bool joins(bool is_match) const {
      switch (step_.behavior) {
        case SplitBehavior::merged_with_previous:
          return is_match && !is_match_;
        case SplitBehavior::merged_with_next:
          return !is_match && is_match_;
        case SplitBehavior::contiguous:
          return is_match == is_match_;
        default:
          return false;
      }
    }
    void flush() {
      const bool is_removed = is_match_ && step_.behavior == SplitBehavior::removed;
      if (begin_ != end_ && !is_removed) visit_(text_.substr(begin_, end_ - begin_));
    }

    const Step& step_;
    std::string_view text_;
    Visit& visit_;
    size_t begin_ = 0, end_ = 0;
    bool is_match_ = false;  // of the last segment
  };

  template <class Visit>
  void apply(size_t depth, std::string_view text, SplitExpression::Search& search, Visit& visit) const {
    if (depth == steps_.size()) return visit(text);
    const Step& step = steps_[depth];
    if (step.adds_space && !text.starts_with(' ')) {
      split(depth, " " + std::string(text), search, visit);
    } else {
      split(depth, text, search, visit);
    }
  }

  template <class Visit>
  void split(size_t depth, std::string_view text, SplitExpression::Search& search, Visit& visit) const {
    const Step& step = steps_[depth];
    auto next = [&](std::string_view piece) {
      if (step.spells_bytes) {
        apply(depth + 1, spelled(piece), search, visit);
      } else {
        apply(depth + 1, piece, search, visit);
      }
    };
    if (!step.expression) return next(text);
    Pieces pieces(step, text, next);
    size_t at = 0;
    for (std::optional<SplitExpression::Match> match; (match = step.expression->find(text, match, search));) {
      if (match->begin != at) pieces.add(at, match->begin, false);
      pieces.add(match->begin, match->end, true);
      at = match->end;
    }
    if (at != text.size()) pieces.add(at, text.size(), false);
  }

  static std::string spelled(std::string_view piece);

  std::vector<Step> steps_;
  bool spells_bytes_ = false;
};

}  // namespace quintet
