#pragma once
// Grammars in the plainest way, to compare with: by trying everything.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

// Matches whole texts. Takes exponential time at worst, and does not end for left recursion.
class PlainMatcher {
 public:
  explicit PlainMatcher(const Syntax& syntax) : syntax_(syntax) {}

  bool matches(std::string_view text) {
    text_ = text;
    known_.clear();
    return ends(syntax_.rules[syntax_.root].body, 0).contains(text.size());
  }

 private:
  using Ends = std::set<size_t>;

  // The places where a match that begins at `at` can end.
  Ends ends(const Expression& expression, size_t at) {
    switch (expression.kind) {
      case Expression::Kind::literal:
        return text_.substr(at).starts_with(expression.text) ? Ends{at + expression.text.size()} : Ends{};
      case Expression::Kind::characters: {
        if (at >= text_.size()) return {};
        const DecodedCodePoint decoded = decode_utf8(text_, at);
        for (const CodeRange range : expression.set)
          if (decoded.valid && range.first <= decoded.code_point && decoded.code_point <= range.last)
            return {at + decoded.bytes};
        return {};
      }
      case Expression::Kind::rule: {
        const auto key = std::pair(expression.index, at);
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        return known_[key] = ends(syntax_.rules[expression.index].body, at);
      }
      case Expression::Kind::sequence: {
        Ends all = {at};
        for (const Expression& part : expression.parts) all = ends_after(part, all);
        return all;
      }
      case Expression::Kind::choice: {
        Ends all;
        for (const Expression& part : expression.parts) all.merge(ends(part, at));
        return all;
      }
      case Expression::Kind::repeat: {
        Ends all;
        Ends last = {at};
        std::set<Ends> before;
        for (uint32_t count = 0; !last.empty(); ++count) {
          if (count >= expression.min) all.insert(last.begin(), last.end());
          if (count == expression.max) break;
          // Empty repetitions change nothing any more.
          if (count >= expression.min && !before.insert(last).second) break;
          if (count > text_.size() + expression.min) break;
          last = ends_after(expression.parts.front(), last);
        }
        return all;
      }
      case Expression::Kind::token:
        return {};
    }
    return {};
  }

  Ends ends_after(const Expression& expression, const Ends& begins) {
    Ends all;
    for (const size_t begin : begins) all.merge(ends(expression, begin));
    return all;
  }

  const Syntax& syntax_;
  std::string_view text_;
  std::map<std::pair<uint32_t, size_t>, Ends> known_;
};

}  // namespace quintet::grammar
