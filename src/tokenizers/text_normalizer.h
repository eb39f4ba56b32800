#pragma once
// Rewrites a text before it is cut into words: the steps of a tokenizer.json's normalizer.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unicode/nfc.h"
#include "tokenizers/split_expression/split_expression.h"
#include "tokenizers/text_steps.h"

namespace quintet {

class TextNormalizer {
 public:
  // UNSUPPORTED for an expression that split_expression.h does not support.
  static Result<TextNormalizer> create(std::vector<NormalizerStep> steps);

  bool empty() const { return steps_.empty(); }
  // Accepts any bytes and returns valid UTF-8: ill-formed sequences count as U+FFFD. `buffer` keeps the result, unless
  // the text is unchanged. INPUT if an expression takes too many steps.
  Result<std::string_view> normalize(std::string_view text, std::string& buffer) const;

 private:
  struct Step {
    NormalizerStep description;
    std::optional<SplitExpression> pattern;
  };

  // Returns false if the text is unchanged.
  Result<bool> apply(const Step& step, std::string_view text, std::string& out) const;

  std::vector<Step> steps_;
  std::optional<NfcNormalizer> nfc_;
};

}  // namespace quintet
