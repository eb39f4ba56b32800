// Strings and numbers: directly in GBNF or, where several keywords speak or one looks ahead, state by state.

#include <algorithm>
#include <array>
#include <utility>

#include "grammar/json_schema/gbnf_text.h"
#include "grammar/json_schema/multiples.h"
#include "grammar/json_schema/pattern_language.h"
#include "grammar/json_schema/schema_rules.h"
#include "grammar/json_schema/string_patterns.h"

namespace quintet::grammar {
namespace {

// Limit for all languages of a schema together, failed attempts included: each state takes time.
constexpr size_t kMaxStates = 100000;

// States that only one other leads to are written in its rule, as deep as groups may nest there.
constexpr int kMaxInline = 30;

class StateTexts {
 public:
  StateTexts(const std::vector<LanguageState>& states, std::string_view end)
      : states_(states), end_(end), leading_(states.size()), names_(states.size()) {
    ++leading_[0];
    for (uint32_t i = 0; i < states.size(); ++i) {
      for (const auto& move : states[i].moves) leading_[move.to] += move.to == i ? 0 : 1;
    }
  }

  // The states that have their own rule, with the name of the rule; `new_name` makes it.
  template <class NewName, class Add>
  std::string add_rules(NewName new_name, Add add) {
    names_[0] = new_name();
    std::vector<uint32_t> left = {0};
    while (!left.empty()) {
      const uint32_t state = left.back();
      left.pop_back();
      add(names_[state], body(state, 0, [&](uint32_t other) {
            if (names_[other].empty()) {
              names_[other] = new_name();
              left.push_back(other);
            }
            return names_[other];
          }));
    }
    return names_[0];
  }

 private:
  template <class Name>
  std::string body(uint32_t state, int depth, Name name) {
    const LanguageState& at = states_[state];
    if (at.any_text) return "string-end";
    std::string loop;
    std::string text;
    size_t alternatives = 0;
    const auto add = [&](const std::string& alternative) { text += (alternatives++ > 0 ? " | " : "") + alternative; };
    for (const auto& move : at.moves) {
      const std::string one = json_character(move.set);
      if (move.to == state) {
        loop = one + "* ";
        continue;
      }
      const bool ends = states_[move.to].moves.empty() || states_[move.to].any_text;
      const bool inlined = ends || (leading_[move.to] == 1 && depth < kMaxInline);
      add(formatted("{} {}", one, inlined ? body(move.to, depth + 1, name) : name(move.to)));
    }
    if (at.may_end) add(std::string(end_));
    const bool group = alternatives > 1 && (depth > 0 || !loop.empty());
    return loop + (group ? formatted("({})", text) : text);
  }

  const std::vector<LanguageState>& states_;
  std::string_view end_;
  std::vector<uint32_t> leading_;  // how many states lead to each
  std::vector<std::string> names_;
};

// All properties that string_of() reads.
std::string key_of(const Schema& schema) {
  std::string key = formatted("{},{}", schema.min_length, schema.max_length);
  for (const std::string& each : schema.patterns) key += "\npattern " + write_json(Json(each));
  for (const std::string& each : schema.formats) key += "\nformat " + write_json(Json(each));
  for (const Json& each : schema.excluded) key += "\nnot " + write_json(each);
  return key;
}

}  // namespace

std::string SchemaRules::add_states(const std::vector<LanguageState>& states, std::string_view end,
                                    std::string_view name) {
  return StateTexts(states, end)
      .add_rules([&] { return new_name(formatted("{}-s", name)); },
                 [&](const std::string& rule, std::string body) { rules_.emplace_back(rule, std::move(body)); });
}

Result<std::string> SchemaRules::language_rule(const FindLanguage& find, std::string_view end, std::string_view place,
                                               std::string_view name) {
  constexpr std::array<uint32_t, 4> kLongest = {kUnbounded, 64, 32, 16};
  for (const uint32_t longest : kLongest) {
    Languages languages;
    QUINTET_TRY(const Language language, find(languages, longest));
    auto states = states_of(languages, language);
    states_ += states ? states->size() : kMaxLanguageStates;
    if (states_ > kMaxStates) {
      return input_error(Reason::limit, "JSON schema: too many patterns that look ahead or are combined, at {}",
                         shown_place(place));
    }
    if (states && states->empty()) return std::string(kNever);
    if (states) return add_states(*states, end, name);
    if (languages.full() || longest == kLongest.back()) return placed(failure_of(std::move(states)), place);
  }
  return std::string(kNever);
}

AddRule SchemaRules::adding_parts() {
  return [this](std::string_view wanted, std::string body) {
    const auto [known, added] = known_parts_.try_emplace(body);
    if (added) known->second = add_rule(wanted, std::move(body));
    return known->second;
  };
}

Result<std::string> SchemaRules::string_of(const Schema& schema, std::string_view place, std::string_view name) {
  if (schema.min_length > schema.max_length) return std::string(kNever);
  QUINTET_TRY(const std::vector<Pattern> patterns, string_patterns(schema, place));
  const bool excludes = std::ranges::any_of(schema.excluded, [](const Json& each) { return each.as_string(); });
  if (patterns.empty() && !excludes) {
    if (schema.min_length == 0 && schema.max_length == kUnbounded) return std::string("string");
    const std::string quote(kQuote);
    return formatted("{} short-char{} {}", quote, repetition(schema.min_length, schema.max_length), quote);
  }
  const auto [known, added] = known_texts_.try_emplace(key_of(schema));
  if (!added) return known->second;
  std::optional<std::string> direct;
  if (patterns.size() == 1 && !excludes) {
    direct = string_pattern_gbnf(patterns[0], schema.min_length, schema.max_length, adding_parts());
  }
  if (direct) return known->second = add_rule(formatted("{}-text", name), *direct);
  const auto find = [&](Languages& languages, uint32_t longest) {
    return string_language(languages, schema, longest, place);
  };
  QUINTET_TRY(const std::string rule, language_rule(find, kQuote, place, name));
  if (rule == kNever) return rule;
  return known->second = add_rule(formatted("{}-text", name), formatted("{} {}", kQuote, rule));
}

Result<std::string> SchemaRules::number_of(const Schema& schema, std::string_view place, std::string_view name) {
  const bool integers = (schema.types & kFraction) == 0;
  const bool excludes =
      std::ranges::any_of(schema.excluded, [](const Json& each) { return each.as_double().has_value(); });
  // Where integers are excluded, those with fractions that doubles keep.
  const bool fractions = (schema.types & kInteger) == 0;
  const bool direct = !excludes && !fractions && schema.divisors.empty();
  const bool bounded = schema.min || schema.max;
  if (excludes && !integers) {
    return unsupported_error("JSON schema: the keyword not at {}, of numbers that may have fractions, is not supported",
                             shown_place(place));
  }
  if (!bounded && direct) return std::string(integers ? "integer" : "number");
  auto text = number_pattern(schema.min, schema.max, integers);
  if (!text) return placed(failure_of(std::move(text)), place);
  if (text->empty()) return std::string(kNever);
  auto pattern = parse_pattern(*text);
  if (!pattern) return placed(failure_of(std::move(pattern)), place);
  if (direct) return pattern_gbnf(*pattern, adding_parts());
  const Pattern whole = sequence_of({place_of(Pattern::Kind::begin), *pattern, place_of(Pattern::Kind::end)});
  const auto find = [&](Languages& languages, uint32_t) -> Result<Language> {
    QUINTET_TRY(Language all, language_of(languages, whole));
    if (fractions) {
      QUINTET_TRY(const Pattern fraction, parse_pattern(R"(^-?[0-9]{1,6}\.[0-9]{0,8}[1-9]$)"));
      QUINTET_TRY(const Language some, language_of(languages, fraction));
      all = languages.both(all, some);
    }
    for (const double divisor : schema.divisors) {
      auto multiples = multiples_of(languages, divisor);
      if (!multiples) return placed(failure_of(std::move(multiples)), place);
      all = languages.both(all, *multiples);
    }
    for (const Json& each : schema.excluded) {
      if (!each.as_double()) continue;
      QUINTET_TRY(const Language excluded, language_of(languages, whole_text(write_json(each))));
      all = languages.both(all, languages.other(excluded));
    }
    return all;
  };
  return language_rule(find, "\"\"", place, name);
}

}  // namespace quintet::grammar
