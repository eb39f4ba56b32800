#pragma once
// Splits a text into words, within which byte-level BPE merges: the steps of a tokenizer.json's pre-tokenizer, each
// applied to the pieces of those before it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizers/split_expression/split_expression.h"
#include "tokenizers/text_steps.h"

namespace quintet {

class PreTokenizer {
 public:
  // UNSUPPORTED for an expression that split_expression.h does not support, or too many steps.
  static Result<PreTokenizer> create(const std::vector<SplitStep>& steps);

  // Requires valid UTF-8. INPUT if an expression backtracks beyond a limit that is proportional to the length of the
  // text, which none of a known tokenizer does.
  template <class Visit>
  Status for_each_word(std::string_view text, Visit visit) const {
    struct Words final : Receiver {
      explicit Words(Visit& each) : visit_(each) {}
      void take(std::string_view word) override { visit_(word); }
      Visit& visit_;
    } words(visit);
    return split(text, words);
  }
  // Whether words are spelled in the letters of bytes.
  bool spells_bytes() const { return spells_bytes_; }

 private:
  struct Step {
    std::optional<SplitExpression> expression;
    SplitBehavior behavior;
    bool inverts, adds_space, spells_bytes;
  };

  class Receiver {
   public:
    virtual void take(std::string_view word) = 0;

   protected:
    ~Receiver() = default;
  };

  class Splitting;

  Status split(std::string_view text, Receiver& words) const;

  std::vector<Step> steps_;
  bool spells_bytes_ = false;
};

}  // namespace quintet
