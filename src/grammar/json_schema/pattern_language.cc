#include "grammar/json_schema/pattern_language.h"

#include <algorithm>

namespace quintet::grammar {
namespace {

enum class AtBegin : uint8_t { yes, no, maybe };

// Builds what a part matches together with all that follows it, so that looking ahead is an intersection.
class PatternLanguage {
 public:
  PatternLanguage(Languages& languages, uint32_t longest) : languages_(languages), longest_(longest) {}

  Result<Language> build(const Pattern& pattern);

 private:
  Language build(const Pattern& part, Language rest, AtBegin at);
  Language build_sequence(const Pattern& part, Language rest, AtBegin at);
  Language build_repeat(const Pattern& part, Language rest, AtBegin at);

  Languages& languages_;
  uint32_t longest_;
  bool unknown_begin_ = false;
};

Result<Language> PatternLanguage::build(const Pattern& pattern) {
  const Language first = build(pattern, Languages::kAll, AtBegin::yes);
  const Language later = build(pattern, Languages::kAll, AtBegin::no);
  if (unknown_begin_) return unsupported_error("a ^ that may be at the beginning or not");
  if (later == Languages::kNone) return first;
  const CharacterSet any = complement({});
  const Language anywhere = languages_.later();
  languages_.define(anywhere, languages_.either(later, languages_.step(any, anywhere)));
  return languages_.either(first, languages_.step(any, anywhere));
}

Language PatternLanguage::build(const Pattern& part, Language rest, AtBegin at) {
  if (languages_.full()) return Languages::kNone;
  switch (part.kind) {
    case Pattern::Kind::characters:
      return languages_.step(part.set, rest);
    case Pattern::Kind::sequence:
      return build_sequence(part, rest, at);
    case Pattern::Kind::choice: {
      Language all = Languages::kNone;
      for (const Pattern& each : part.parts) all = languages_.either(all, build(each, rest, at));
      return all;
    }
    case Pattern::Kind::repeat:
      return build_repeat(part, rest, at);
    case Pattern::Kind::begin:
      unknown_begin_ = unknown_begin_ || at == AtBegin::maybe;
      return at == AtBegin::yes ? rest : Languages::kNone;
    case Pattern::Kind::end:
      return languages_.both(Languages::kEmpty, rest);
    case Pattern::Kind::look: {
      const uint32_t longest = longest_;
      if (part.negated) longest_ = kUnbounded;
      const Language ahead = build(part.parts[0], Languages::kAll, at);
      longest_ = longest;
      return languages_.both(part.negated ? languages_.other(ahead) : ahead, rest);
    }
  }
  return rest;
}

Language PatternLanguage::build_sequence(const Pattern& part, Language rest, AtBegin at) {
  std::vector<AtBegin> places;
  for (const Pattern& each : part.parts) {
    places.push_back(at);
    if (each.shortest > 0) at = AtBegin::no;
    if (at == AtBegin::yes && each.longest > 0) at = AtBegin::maybe;
  }
  for (size_t i = part.parts.size(); i-- > 0;) rest = build(part.parts[i], rest, places[i]);
  return rest;
}

Language PatternLanguage::build_repeat(const Pattern& part, Language rest, AtBegin at) {
  const Pattern& repeated = part.parts[0];
  const uint32_t max = part.max == kUnbounded ? kUnbounded : std::max(part.min, std::min(part.max, longest_));
  if (max > 1 && at == AtBegin::yes && repeated.longest > 0) at = AtBegin::maybe;
  if (max == kUnbounded) {
    const Language again = languages_.later();
    const Language once = build(repeated, again, at);
    // A repetition of nothing matches nothing more.
    rest = languages_.either(rest, languages_.without(once, again));
    languages_.define(again, rest);
  } else {
    const Language after = rest;
    for (uint32_t i = part.min; i < max && !languages_.full(); ++i) {
      rest = languages_.either(after, build(repeated, rest, at));
    }
  }
  for (uint32_t i = 0; i < part.min && !languages_.full(); ++i) {
    const Language before = build(repeated, rest, at);
    if (before == rest) break;
    rest = before;
  }
  return rest;
}

}  // namespace

Result<Language> language_of(Languages& languages, const Pattern& pattern, uint32_t longest) {
  return PatternLanguage(languages, longest).build(pattern);
}

}  // namespace quintet::grammar
