#include "tokenizers/pre_tokenizer.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "tokenizers/byte_alphabet.h"

namespace quintet {
namespace {

constexpr size_t kMaxSteps = 16;

}  // namespace

Result<PreTokenizer> PreTokenizer::create(const std::vector<SplitStep>& steps) {
  if (steps.size() > kMaxSteps) {
    return unsupported_error("a pre-tokenizer of " + std::to_string(steps.size()) + " steps; at most " +
                             std::to_string(kMaxSteps) + " are supported");
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

std::string PreTokenizer::spelled(std::string_view piece) {
  std::string letters;
  for (const char byte : piece) append_utf8(letter_of(static_cast<uint8_t>(byte)), letters);
  return letters;
}

}  // namespace quintet
