#include "grammar/json_schema/pattern_gbnf.h"

#include <algorithm>
#include <span>
#include <utility>

#include "grammar/json_schema/gbnf_text.h"

namespace quintet::grammar {
namespace {

// An alternative of a whole pattern, without ^ and $.
struct Alternative {
  std::span<const Pattern> parts;
  bool from_begin = false;
  bool to_end = false;

  explicit Alternative(const Pattern& pattern)
      : parts(pattern.kind == Pattern::Kind::sequence ? std::span(pattern.parts) : std::span(&pattern, 1)) {
    from_begin = !parts.empty() && parts.front().kind == Pattern::Kind::begin;
    if (from_begin) parts = parts.subspan(1);
    to_end = !parts.empty() && parts.back().kind == Pattern::Kind::end;
    if (to_end) parts = parts.first(parts.size() - 1);
  }
};

// Whether it matches any text at all; GBNF has no class without characters.
bool has_text(const Pattern& pattern) {
  if (pattern.kind == Pattern::Kind::characters) return !pattern.set.empty();
  return std::ranges::all_of(pattern.parts, has_text);
}

std::string sequence_gbnf(std::span<const Pattern> parts, const AddRule& add_rule) {
  std::string text;
  for (const Pattern& each : parts) text += (text.empty() ? "" : " ") + pattern_gbnf(each, add_rule);
  return text.empty() ? "\"\"" : text;
}

std::string unnamed_gbnf(const Pattern& pattern, const AddRule& add_rule) {
  switch (pattern.kind) {
    case Pattern::Kind::characters:
      return json_character(pattern.set);
    case Pattern::Kind::sequence:
      return pattern.parts.empty() ? "\"\"" : formatted("({})", sequence_gbnf(pattern.parts, add_rule));
    case Pattern::Kind::choice: {
      std::string text;
      for (const Pattern& each : pattern.parts) text += (text.empty() ? "" : " | ") + pattern_gbnf(each, add_rule);
      return formatted("({})", text);
    }
    case Pattern::Kind::repeat: {
      const Pattern& part = pattern.parts[0];
      std::string text = pattern_gbnf(part, add_rule);
      const uint32_t copies = pattern.max == kUnbounded ? pattern.min : pattern.max;
      const bool is_group = part.kind != Pattern::Kind::characters && part.name.empty();
      if (copies > 1 && is_group) text = add_rule("part", std::move(text));
      return text + repetition(pattern.min, pattern.max);
    }
    default:
      return "\"\"";
  }
}

std::optional<std::string> alternative_gbnf(const Pattern& pattern, uint32_t min, uint32_t max,
                                            const AddRule& add_rule) {
  const Alternative alternative(pattern);
  const auto& [parts, from_begin, to_end] = alternative;
  if (!std::ranges::all_of(parts, [](const Pattern& each) { return !each.asserts && has_text(each); })) {
    return std::nullopt;
  }
  const bool fits = pattern.shortest >= min && (to_end && from_begin ? pattern.longest : kUnbounded) <= max;
  if (fits) {
    std::string text(kQuote);
    if (!from_begin) text += " char*";
    if (!parts.empty()) text += " " + sequence_gbnf(parts, add_rule);
    return formatted("{} {}", text, to_end ? std::string(kQuote) : "string-end");
  }
  const bool one = from_begin && to_end && parts.size() == 1 && parts[0].kind == Pattern::Kind::repeat &&
                   parts[0].parts[0].kind == Pattern::Kind::characters;
  if (!one) return std::nullopt;
  const uint32_t shortest = std::max(parts[0].min, min);
  const uint32_t longest = std::min(parts[0].max, max);
  if (shortest > longest) return std::nullopt;
  return formatted("{} {}{} {}", kQuote, pattern_gbnf(parts[0].parts[0], add_rule), repetition(shortest, longest),
                   kQuote);
}

}  // namespace

std::optional<std::string> string_pattern_gbnf(const Pattern& pattern, uint32_t min, uint32_t max,
                                               const AddRule& add_rule) {
  if (pattern.kind != Pattern::Kind::choice) return alternative_gbnf(pattern, min, max, add_rule);
  std::string text;
  for (const Pattern& each : pattern.parts) {
    const auto alternative = alternative_gbnf(each, min, max, add_rule);
    if (!alternative) return std::nullopt;
    text += (text.empty() ? "" : " | ") + *alternative;
  }
  return text;
}

std::string pattern_gbnf(const Pattern& pattern, const AddRule& add_rule) {
  std::string text = unnamed_gbnf(pattern, add_rule);
  return pattern.name.empty() ? text : add_rule(pattern.name, std::move(text));
}

}  // namespace quintet::grammar
