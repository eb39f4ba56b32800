#include "grammar/json_schema/string_patterns.h"

#include <algorithm>
#include <utility>

#include "grammar/json_schema/formats.h"
#include "grammar/json_schema/pattern_language.h"

namespace quintet::grammar {

Failure placed(Failure failure, std::string_view place) {
  std::string& detail = failure.error().detail;
  detail = formatted("JSON schema: {} at {}", detail, shown_place(place));
  return failure;
}

Result<std::vector<Pattern>> string_patterns(const Schema& schema, std::string_view place) {
  std::vector<Pattern> patterns;
  const auto parsed = [&](const std::string& text) -> Result<Pattern> {
    auto pattern = parse_pattern(text);
    if (!pattern) return placed(failure_of(std::move(pattern)), place);
    return pattern;
  };
  for (const std::string& each : schema.patterns) {
    QUINTET_TRY(Pattern pattern, parsed(each));
    patterns.push_back(std::move(pattern));
  }
  bool alone = patterns.empty() && schema.formats.size() == 1 && !schema.values;
  for (const std::string& each : schema.formats) {
    const auto format = format_pattern(each);
    if (!format && patterns.empty() && !schema.values) {
      return unsupported_error("JSON schema: the format {} at {} is not supported; a pattern and {} are", each,
                               shown_place(place), known_formats());
    }
    if (!format || format->pattern.empty()) continue;
    QUINTET_TRY(Pattern pattern, parsed(format->pattern));
    alone = alone && pattern.shortest >= schema.min_length && pattern.longest <= schema.max_length;
    if (!alone) {
      if (std::ranges::find(schema.patterns, format->beside) != schema.patterns.end()) continue;
      QUINTET_TRY(pattern, parsed(format->beside));
    }
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

Result<Language> language_of_all(Languages& languages, const std::vector<Pattern>& patterns, uint32_t longest,
                                 std::string_view place) {
  Language all = Languages::kAll;
  for (const Pattern& each : patterns) {
    auto language = language_of(languages, each, longest);
    if (!language) return placed(failure_of(std::move(language)), place);
    all = languages.both(all, *language);
  }
  return all;
}

Result<Language> string_language(Languages& languages, const Schema& schema, uint32_t longest, std::string_view place) {
  QUINTET_TRY(std::vector<Pattern> patterns, string_patterns(schema, place));
  if (schema.min_length > schema.max_length) return Languages::kNone;
  if (schema.min_length > 0 || schema.max_length != kUnbounded) {
    patterns.push_back(whole_length(schema.min_length, schema.max_length));
  }
  QUINTET_TRY(Language all, language_of_all(languages, patterns, longest, place));
  for (const Json& each : schema.excluded) {
    if (!each.as_string()) continue;
    QUINTET_TRY(const Language excluded, language_of(languages, whole_text(*each.as_string())));
    all = languages.both(all, languages.other(excluded));
  }
  return all;
}

}  // namespace quintet::grammar
