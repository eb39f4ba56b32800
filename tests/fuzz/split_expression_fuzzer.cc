// A regular expression and a text, both of any bytes. What must hold: an expression that is refused leaves an error
// that shows it; matches of one that is taken come in order, are whole characters, and take a bounded number of steps;
// and pieces are parts of the text.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "tokenizers/pre_tokenizer.h"
#include "tokenizers/split_expression/expression_matcher.h"

namespace {

using namespace quintet;

bool is_boundary(std::string_view text, size_t at) { return at == text.size() || !is_utf8_continuation(text[at]); }

void check_matches(const SplitExpression& expression, std::string_view text) {
  ExpressionSearch search(10'000);
  ExpressionMatcher matches(expression, text, search);
  for (std::optional<SplitExpression::Match> last, match; (match = matches.next()); last = match) {
    if (match->begin < (last ? last->end : 0) || match->end < match->begin || match->end > text.size()) std::abort();
    if (last && last->end == match->begin && match->begin == match->end) std::abort();
    if (!is_boundary(text, match->begin) || !is_boundary(text, match->end)) std::abort();
  }
}

void check_pieces(const SplitStep& step, std::string_view text) {
  const auto pre_tokenizer = PreTokenizer::create({step});
  if (!pre_tokenizer) std::abort();
  size_t bytes = 0;
  const Status status = pre_tokenizer->for_each_word(text, [&](std::string_view piece) {
    if (piece.empty() || find_invalid_utf8(piece)) std::abort();
    bytes += piece.size();
  });
  if (!status && status.error().code != Code::input) std::abort();
  if (step.behavior == SplitBehavior::removed ? bytes > text.size() : bytes != text.size()) std::abort();
}

}  // namespace

// A byte for the behavior, the expression, a zero byte, the text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size == 0) return 0;
  const std::string_view data(reinterpret_cast<const char*>(bytes + 1), size - 1);
  const size_t end = data.find('\0');
  const std::string_view source = data.substr(0, end);
  const std::string_view text = end == std::string_view::npos ? std::string_view() : data.substr(end + 1);
  const auto expression = SplitExpression::compile(source);
  if (!expression) {
    if (expression.error().code != Code::unsupported || expression.error().detail.empty()) std::abort();
    return 0;
  }
  if (find_invalid_utf8(text)) return 0;
  check_matches(*expression, text);
  if (source.empty()) return 0;
  check_pieces({.expression = std::string(source),
                .behavior = static_cast<SplitBehavior>(bytes[0] % 5),
                .inverts = (bytes[0] & 0x80) != 0},
               text);
  return 0;
}
