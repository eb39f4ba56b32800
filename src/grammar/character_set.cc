#include <algorithm>

#include "base/order.h"
#include "base/utf8.h"
#include "grammar/syntax.h"

namespace quintet::grammar {
namespace {

constexpr char32_t kBeforeSurrogates = 0xD7FF;
constexpr char32_t kAfterSurrogates = 0xE000;

// The part of a range that is within [first, last].
void append_part(CodeRange range, char32_t first, char32_t last, std::vector<CodeRange>& parts) {
  const CodeRange part = {std::max(range.first, first), std::min(range.last, last)};
  if (part.first <= part.last) parts.push_back(part);
}

}  // namespace

CharacterSet normalized(std::vector<CodeRange> ranges) {
  std::vector<CodeRange> parts;
  for (const CodeRange range : ranges) {
    append_part(range, 0, kBeforeSurrogates, parts);
    append_part(range, kAfterSurrogates, kLastCodePoint, parts);
  }
  heap_sort(parts, {}, &CodeRange::first);
  CharacterSet set;
  for (const CodeRange part : parts) {
    const bool touches = !set.empty() && part.first <= set.back().last + 1;
    if (touches) {
      set.back().last = std::max(set.back().last, part.last);
    } else {
      set.push_back(part);
    }
  }
  return set;
}

CharacterSet complement(const CharacterSet& set) {
  std::vector<CodeRange> gaps;
  char32_t next = 0;
  for (const CodeRange range : set) {
    if (range.first > next) gaps.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastCodePoint) gaps.push_back({next, kLastCodePoint});
  return normalized(std::move(gaps));
}

bool contains(const CharacterSet& set, char32_t character) {
  const auto after = std::ranges::upper_bound(set, character, {}, &CodeRange::first);
  return after != set.begin() && character <= std::prev(after)->last;
}

}  // namespace quintet::grammar
